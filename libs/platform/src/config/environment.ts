import { cwd, env, loadEnvFile } from 'node:process';

/**
 * The process environment, with a `.env` file of the working folder added. What is set already wins over the file.
 *
 * @throws Error when there is such a file and it cannot be read.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    loadEnvFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return env;
    throw new Error(
      `The file .env of the folder ${cwd()} cannot be read (${code ?? 'it is no file'}). Make it a file that the user ` +
        'who runs this may read, or move it away.',
      { cause: error },
    );
  }
  return env;
}
