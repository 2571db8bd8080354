/**
 * The one place where connections to databases of requests come about (SEC-03, SEC-42).
 *
 * The policy resolves and checks, and the socket is opened to the address that was checked: nothing is looked up twice
 * (SEC-12). What is spoken over the socket, TLS included, is the engine's business.
 */
import { connect, type Socket } from 'node:net';
import type { Config } from '../config/config';
import { AllowList } from './allow-list';
import { DatabasePolicy, type DatabasePlace } from './database-policy';
import { EgressError } from './egress-error';
import type { OwnServices } from './own-services';
import { resolveBySystem } from './resolver';

/** Addresses of one name that are tried. */
const MAX_TRIES = 3;
const KEEP_ALIVE_MS = 10_000;

export class DatabaseDialer {
  constructor(
    private readonly policy: Pick<DatabasePolicy, 'addresses'>,
    /** For the name and all of its addresses together. */
    private readonly timeoutMs: number,
  ) {}

  /**
   * An open socket, without anything said on it.
   *
   * @throws EgressError `egress_denied`: nothing was opened. `connection_failed`: nobody answered, or not in time.
   * @throws the signal's reason.
   */
  async dial(place: DatabasePlace, signal: AbortSignal): Promise<Socket> {
    const late = AbortSignal.timeout(this.timeoutMs);
    const either = AbortSignal.any([signal, late]);
    try {
      let failure: unknown;
      for (const address of (await orAborted(this.policy.addresses(place), either)).slice(0, MAX_TRIES)) {
        try {
          return await open(address, place.port, either);
        } catch (error) {
          either.throwIfAborted();
          failure = error;
        }
      }
      throw failed(`it could not be connected to (${codeOf(failure)})`);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw failed(`it could not be connected to within ${this.timeoutMs / 1000} seconds`);
      throw error;
    }
  }
}

/** The way to databases, as the configuration allows it. */
export function databaseDialer(
  { databases, profile }: Pick<Config, 'databases' | 'profile'>,
  own: OwnServices,
): DatabaseDialer {
  const policy = new DatabasePolicy({
    profile,
    allow: new AllowList(databases.allow),
    own,
    resolve: resolveBySystem,
    setting: 'DATABASE_ALLOW',
  });
  return new DatabaseDialer(policy, databases.connectMs);
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners('connect').removeAllListeners('error');
      how();
    };
    const abort = () => fail(signal.reason as Error);
    const fail = (error: Error) =>
      settle(() => {
        socket.on('error', () => undefined).destroy();
        reject(error);
      });
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', fail).once('connect', () => settle(() => resolve(socket)));
    if (signal.aborted) abort();
  });
}

/** Looking up a name cannot be stopped, but need not be waited for. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? 'no address answered';

const failed = (words: string) => new EgressError('connection_failed', words);
