import { env, loadEnvFile } from 'node:process';

/** The process environment, with a `.env` file of the working folder added. What is set already wins over the file. */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return env;
}
