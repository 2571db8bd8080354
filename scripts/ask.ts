/** `npm run ask -- "question" --collection NAME`: streams an answer from a running server, with its sources. */
import { Answer } from './client/answer';
import { connect, CONNECTION_USAGE, readArguments, runCommand, UsageError } from './client/command-line';
import { questionAbout, sourceLines } from './client/question';

const USAGE = `Usage: npm run ask -- "QUESTION" --collection NAME [options]

Answers from the documents of a collection, and says where each sentence stands. What its tables can tell is computed.

  --collection NAME  the collection
  --artifact ID      look only in this artifact; may be given several times
  --model ID         the model that answers (default: the server's)
${CONNECTION_USAGE}`;

void runCommand(USAGE, async (signal) => {
  const { values, positionals } = readArguments({
    collection: { type: 'string' },
    artifact: { type: 'string', multiple: true },
    model: { type: 'string' },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const question = positionals.join(' ').trim();
  if (!question) throw new UsageError('Ask a question.');
  if (!values.collection) throw new UsageError('Name the collection: --collection NAME');

  const { collection, artifact: artifacts, model } = values;
  const tools = ['semantic_search_v1', 'tabular_analysis_v1'];
  const body = { ...questionAbout(question, { collection, artifacts }), tools, model, stream: true };
  const answer = new Answer();
  try {
    for await (const event of connect(values).stream('/v1/messages', body, signal)) {
      process.stdout.write(answer.read(event));
    }
  } finally {
    if (answer.text) process.stdout.write('\n');
  }
  for (const line of sourceLines(answer)) console.log(line);
  if (answer.stopReason === 'max_tokens') console.log('\n(The answer was cut at the limit of tokens.)');
  return 0;
});
