/** `npm run ingest -- FOLDER --collection NAME`: sends a folder to a running server. */
import {
  connect,
  CONNECTION_USAGE,
  countOf,
  pathOf,
  readArguments,
  runCommand,
  UsageError,
} from './client/command-line';
import { ingestFolder, type FolderSummary } from './client/ingest-folder';
import { printable } from './client/answer';
import { counted, ProgressDisplay } from './client/progress';

const USAGE = `Usage: npm run ingest -- FOLDER --collection NAME [options]

Sends every file of a folder to a collection. What is there unchanged is not sent again. Hidden files are left out, and
links that lead out of the folder.

  --collection NAME  the collection
  --concurrency N    files sent at once, 1 to 32 (default 4)
  --max-file-mb N    larger files are not sent (default 48, as the server's MAX_FILE_MB)
${CONNECTION_USAGE}

The exit code is 0 if everything is there, 1 if something failed.`;

void runCommand(USAGE, async (signal) => {
  const { values, positionals } = readArguments({
    collection: { type: 'string' },
    concurrency: { type: 'string' },
    'max-file-mb': { type: 'string' },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('Name one folder.');
  if (!values.collection) throw new UsageError('Name the collection: --collection NAME');

  const display = new ProgressDisplay(process.stdout);
  const summary = await ingestFolder(connect(values), pathOf(folder), {
    collection: values.collection,
    concurrency: countOf('concurrency', values.concurrency, 4, 32),
    maxFileBytes: countOf('max-file-mb', values['max-file-mb'], 48, 256) * 1024 * 1024,
    signal,
    onProgress: (progress, outcome) => display.show(progress, outcome),
  });
  display.clear();
  console.log(inWords(summary, display.seconds));
  return summary.outcomes.some(({ status }) => status === 'failed') || summary.notTried > 0 ? 1 : 0;
});

function inWords({ outcomes, notTried, leaving, stoppedBy }: FolderSummary, seconds: number): string {
  const of = (wanted: string) => outcomes.filter(({ status }) => status === wanted);
  const failed = of('failed').sort((one, other) => (one.path < other.path ? -1 : 1));
  const chunks = outcomes.reduce((sum, outcome) => sum + (outcome.chunks ?? 0), 0);
  return [
    `${of('ingested').length} ingested (${counted(chunks, 'chunk')}), ${of('unchanged').length} unchanged, ` +
      `${failed.length} failed, in ${seconds.toFixed(1)} s`,
    ...(failed.length > 0 ? ['', 'Failed:'] : []),
    ...failed.map(({ path, reason }) => `  ${printable(path)}: ${printable(reason ?? '')}`),
    ...(leaving.length > 0 ? ['', 'Not followed, because they lead out of the folder:'] : []),
    ...leaving.map((path) => `  ${printable(path)}`),
    ...(notTried > 0 ? ['', `${counted(notTried, 'file')} not tried: ${(stoppedBy as Error).message}`] : []),
  ].join('\n');
}
