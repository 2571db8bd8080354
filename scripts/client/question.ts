import type { Answer } from './answer';

/** A request that answers a question from a collection, with citations and the passages they lead to. */
export function questionAbout(
  question: string,
  filter: { readonly collection: string; readonly artifacts?: readonly string[] },
) {
  return {
    system: { citations: { enabled: true }, extensions: ['zylon'] },
    tools: [{ name: 'semantic_search', type: 'semantic_search_v1' }],
    tool_context: [{ type: 'ingested_artifact', context_filter: filter }],
    messages: [{ role: 'user', content: question }],
  };
}

/** What a person reads below the answer; nothing where nothing is cited. */
export function sourceLines({ sources }: Answer): string[] {
  if (sources.length === 0) return [];
  return [
    '',
    'Sources',
    ...sources.map(({ number, file, place }) => `  [${number}] ${file}${place ? `, ${place}` : ''}`),
  ];
}
