import { constants } from 'node:os';
import { isStorageFull } from './storage-full';

const FOLDER_TROUBLE: Record<string, string> = {
  EACCES: 'the user that runs this server may not write there',
  EPERM: 'the user that runs this server may not write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file is in the way of a folder',
  ENOTDIR: 'a file is in the way of a folder',
};
const ADDRESS_TROUBLE: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use. Stop what listens there, or give this server another PORT (0: a free one).`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is no address of this machine. Name one that is, or 0.0.0.0 for all of them.`,
  EACCES: (host, port) =>
    `The user that runs this server may not listen on port ${port} of ${host}. Give it a PORT from 1024 on.`,
  ENOTFOUND: (host) => `HOST ${host} is not known by that name. Name an address of this machine.`,
};

/**
 * Why a process could not start, for the person who started it: the setting that is at fault and what to do, where the
 * system itself only has a code and a path.
 */
export function whyNotStarted(
  error: unknown,
  { dataDir, http }: { readonly dataDir: string; readonly http: { readonly host: string; readonly port: number } },
): string {
  if (isStorageFull(error))
    return `The data folder ${dataDir} is full, or the database at DATABASE_URL. Make room there, or set DATA_DIR to another one.`;
  const { syscall, message, ...system } = asSystemError(error);
  const code = codeInWords(message) ?? system.code ?? '';
  const address = syscall === 'listen' || syscall === 'getaddrinfo' ? ADDRESS_TROUBLE[code] : undefined;
  if (address) return address(http.host, http.port);
  const folder = message.includes(dataDir) ? FOLDER_TROUBLE[code] : undefined;
  if (folder) return `The data folder ${dataDir} cannot be used: ${folder}. Set DATA_DIR to another one, or mend this.`;
  return message;
}

/** The index tells what the system said by its number only; the code that it gives is its own. */
function codeInWords(message: string): string | undefined {
  const number = Number(/\(os error (\d+)\)/.exec(message)?.[1]);
  return Object.entries(constants.errno).find(([, known]) => known === number)?.[0];
}

/** By its shape, because what comes from another realm is no instance of our `Error`. */
function asSystemError(error: unknown): Partial<NodeJS.ErrnoException> & { message: string } {
  return typeof error === 'object' && error !== null && 'message' in error
    ? (error as NodeJS.ErrnoException)
    : { message: String(error) };
}
