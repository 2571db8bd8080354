/**
 * Where the log goes unless a stream is given: the standard output, as far as it takes it.
 *
 * A disk that is full, a terminal or a reader that is gone: a server goes on without its log. It says so once on the
 * standard error, keeps what came last, up to a limit, and writes it once it can.
 */
import { pino, type DestinationStream } from 'pino';

/** Of lines that wait until they can be written; what comes beyond is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

let guarded = false;

export function standardOutput(): DestinationStream {
  guardStreams();
  const destination = pino.destination({ sync: true, maxLength: MAX_WAITING_BYTES });
  let failing = false;
  let lost = 0;
  destination.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (failing) return;
    failing = true;
    process.stderr.write(
      `The log cannot be written to the standard output (${code ?? message}); the process goes on.\n`,
    );
  });
  destination.on('drop', () => lost++);
  destination.on('write', () => {
    if (lost > 0) process.stderr.write(`${lost} lines of the log were lost while it could not be written.\n`);
    failing = false;
    lost = 0;
  });
  return destination;
}

/** Node ends a process whose own words cannot be written, unless somebody listens. */
function guardStreams(): void {
  if (guarded) return;
  guarded = true;
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
