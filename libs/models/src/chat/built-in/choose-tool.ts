/**
 * Picks tools by cues (architecture §5): a URL, words that count or add up, the words of a custom tool's declaration;
 * search for whatever else is asked.
 */
import type { ToolDeclaration } from '../chat-model';
import { wordsOfName } from './argument-roles';
import { ideasOf } from './concepts';
import { smallTalk, withoutCourtesy } from './courtesy';
import type { ReadConversation } from './conversation-reading';
import { fillArguments } from './fill-arguments';
import { urlsIn } from './readings';
import type { Language } from './language';
import { fold, STOP_WORDS, stem, tokensOf } from './words';

export interface PlannedCall {
  readonly tool: ToolDeclaration;
  readonly input: Readonly<Record<string, unknown>>;
  /** Required arguments that the message does not give; the call cannot be made with any. */
  readonly missing: readonly string[];
}

const MAX_CALLS = 4;
const MAX_TOOLS = 200;

/** Tools that take the question as it is. */
const ASKED_IN_WORDS = new Set(['semantic_search', 'tabular_analysis', 'database_query', 'web_search']);

const ADDS_UP =
  /\b(total|sum|average|mean|median|maximum|minimum|highest|lowest|most|least|top \d+|count|number of|per (?:month|year|region|customer|product|category)|group(?:ed)? by|rows?|records?|suma|promedio|media|mediana|maxim[oa]s?|minim[oa]s?|mayor|menor|cuenta|numero de|por (?:mes|ano|region|cliente|producto|categoria)|agrupad[oa]s?|filas?|registros?|ventas|sales|facturamos|facturado|charts?|histograms?|scatter plot|grafic[oa]s?|histogramas?)\b/;
const COUNTS = /\b(how many|how much|cuant[oa]s?)\b/;
/** "How many days do I get" asks for a rule, not for a count of rows. */
const ASKS_A_RULE =
  /\b(?:do|can|may|should|must|will) (?:i|we|you|employees|staff)\b|\bam i\b|\bare (?:we|you)\b|\b(?:tengo|tenemos|puedo|podemos|debo|corresponden?|derecho)\b/;
const TABLE_WORDS = /\b(table|spreadsheet|excel|csv|sheet|tabla|hoja|excel)\b/;
const DATABASE_WORDS = /\b(database|sql|base de datos)\b/;
const WEB_WORDS =
  /\b(search the web|on the (?:web|internet)|online|google|en (?:la web|internet)|latest news|ultimas noticias)\b/;
const STATES = /^(?:my name is|i am|i'm|im|i live|i work|i like|i love|me llamo|soy|vivo|trabajo en|me gusta)\b/;
const ASKS = /\?|\b(?:what|how|when|where|who|which|tell me|que|como|cuando|donde|quien|cual|dime)\b/;

/** The calls that the user's words ask for; empty when they want none. With `parallel` off, one at most. */
export function chooseCalls(
  conversation: ReadConversation,
  tools: readonly ToolDeclaration[],
  parallel: boolean,
): PlannedCall[] {
  const offered = tools.slice(0, MAX_TOOLS);
  const { question, asked } = conversation;
  if (asked === '' || smallTalk(asked) !== undefined || isStatement(asked)) return [];
  const fetch = offered.find(({ builtIn }) => builtIn === 'web_fetch');
  const urls = fetch ? [...new Set(urlsIn(asked))] : [];
  if (fetch && urls.length > 0) {
    return urls.slice(0, parallel ? MAX_CALLS : 1).map((url) => ({ tool: fetch, input: { url }, missing: [] }));
  }
  const parts = parallel ? clausesOf(question) : [question];
  const planned = parts.map((part) => chooseOne(part, conversation, offered));
  const isSplit = parts.length > 1 && new Set(planned.map((call) => call?.tool.name)).size > 1;
  if (isSplit && planned.every((call) => call !== undefined && call.missing.length === 0)) {
    return planned.filter((call) => call !== undefined).slice(0, MAX_CALLS);
  }
  const whole = chooseOne(question, conversation, offered);
  return whole ? [whole] : [];
}

/** The call that must be made: of a named tool, or of the one that fits best. */
export function forceCall(conversation: ReadConversation, tools: readonly ToolDeclaration[]): PlannedCall | undefined {
  const [wanted] = chooseCalls(conversation, tools, false);
  if (wanted && wanted.missing.length === 0) return wanted;
  const plans = tools.slice(0, MAX_TOOLS).map((tool) => planFor(tool, conversation.question, conversation));
  const ready = plans.filter(({ missing }) => missing.length === 0);
  const byFit = (a: PlannedCall, b: PlannedCall) => fitOf(b.tool, conversation) - fitOf(a.tool, conversation);
  return ready.sort(byFit)[0] ?? wanted ?? plans.sort(byFit)[0];
}

const fitOf = (tool: ToolDeclaration, { question, language }: ReadConversation): number =>
  tool.builtIn !== undefined && ASKED_IN_WORDS.has(tool.builtIn) ? 1.5 : overlap(tool, question, language).score;

const isStatement = (text: string): boolean => STATES.test(fold(text)) && !ASKS.test(fold(text));

function chooseOne(
  part: string,
  conversation: ReadConversation,
  tools: readonly ToolDeclaration[],
): PlannedCall | undefined {
  const custom = chooseCustom(part, conversation, tools);
  if (custom && custom.missing.length === 0) return custom;
  const search = chooseAskedInWords(part, tools);
  // An order that lacks a detail is answered by asking for it; a question can still be searched for.
  if (custom && !(search && ASKS.test(fold(part)))) return custom;
  return search && planFor(search, part, conversation);
}

function chooseAskedInWords(part: string, tools: readonly ToolDeclaration[]): ToolDeclaration | undefined {
  const find = (builtIn: string) => tools.find((tool) => tool.builtIn === builtIn);
  const folded = fold(part);
  const [search, table, database, web] = ['semantic_search', 'tabular_analysis', 'database_query', 'web_search'].map(
    find,
  );
  if (web && WEB_WORDS.test(folded)) return web;
  const addsUp = ADDS_UP.test(folded) || (COUNTS.test(folded) && !ASKS_A_RULE.test(folded));
  const named = DATABASE_WORDS.test(folded) ? database : TABLE_WORDS.test(folded) ? table : undefined;
  if (named) return named;
  if (addsUp && (table ?? database)) return database ?? table;
  return search ?? database ?? table ?? web;
}

function chooseCustom(
  part: string,
  conversation: ReadConversation,
  tools: readonly ToolDeclaration[],
): PlannedCall | undefined {
  const fitting = tools
    .filter(({ builtIn }) => builtIn === undefined || !(ASKED_IN_WORDS.has(builtIn) || builtIn === 'web_fetch'))
    .map((tool) => ({ tool, fit: overlap(tool, part, conversation.language) }))
    .filter(({ fit }) => fit.isClear)
    .sort((a, b) => b.fit.score - a.fit.score)
    .slice(0, 5)
    .map(({ tool }) => planFor(tool, part, conversation));
  return fitting.find(({ missing }) => missing.length === 0) ?? fitting[0];
}

/** Verbs that many tools have in their names and that say little about what they are for. */
const GENERIC = new Set('get fetch tool do run function call api by for obtener consultar my'.split(' '));

/** How much of a tool's declaration a message says. Clear: the words of its name, or one of them and more besides. */
function overlap(tool: ToolDeclaration, message: string, language: Language): { score: number; isClear: boolean } {
  const stems = new Set<string>();
  const ideas = new Set<number>();
  for (const { word } of tokensOf(message, 300)) {
    if (STOP_WORDS.has(word)) continue;
    stems.add(stem(word, 'en')).add(stem(word, 'es'));
    for (const idea of ideasOf(stem(word, language), language)) ideas.add(idea);
  }
  const isSaid = (word: string) =>
    (['en', 'es'] as const).some(
      (spoken) => stems.has(stem(word, spoken)) || ideasOf(stem(word, spoken), spoken).some((idea) => ideas.has(idea)),
    );
  const name = [...new Set(wordsOfName(tool.name))].filter((word) => !GENERIC.has(word) && !STOP_WORDS.has(word));
  const described = [
    ...tokensOf(tool.description.slice(0, 2000), 200).map(({ word }) => word),
    ...Object.keys(propertiesOf(tool)).slice(0, 64).flatMap(wordsOfName),
  ].filter((word) => !STOP_WORDS.has(word) && !GENERIC.has(word) && !name.includes(word));
  const inName = name.filter(isSaid).length;
  const inDescription = [...new Set(described)].filter(isSaid).length;
  const isNamed = message.includes(tool.name) && tool.name.length > 3;
  const isClear =
    isNamed ||
    (name.length > 0 && inName === name.length) ||
    inName >= 2 ||
    (inName === 1 && inDescription >= 1) ||
    inDescription >= 3;
  return { score: 3 * inName + inDescription + (isNamed ? 10 : 0) + (inName === name.length ? 1 : 0), isClear };
}

const propertiesOf = ({ inputSchema }: ToolDeclaration): object =>
  typeof inputSchema.properties === 'object' && inputSchema.properties !== null ? inputSchema.properties : {};

function planFor(tool: ToolDeclaration, part: string, { asked, language, today }: ReadConversation): PlannedCall {
  if (tool.builtIn !== undefined && ASKED_IN_WORDS.has(tool.builtIn)) {
    const query = withoutCourtesy(part).slice(0, 2000) || asked;
    return { tool, input: { query }, missing: query === '' ? ['query'] : [] };
  }
  if (tool.builtIn === 'web_fetch') {
    const [url] = urlsIn(asked);
    return { tool, input: url === undefined ? {} : { url }, missing: url === undefined ? ['url'] : [] };
  }
  const { input, missing } = fillArguments(tool.inputSchema, part, { language, ...(today && { today }) });
  return { tool, input: (input ?? {}) as Record<string, unknown>, missing };
}

const MAX_CLAUSES = 4;

/** The things that a message asks for, one after the other. */
export function clausesOf(text: string): string[] {
  const marked = text
    .slice(0, 2000)
    .split(
      /(?<=[?!.])\s+(?=\S)|;\s|,?\s(?:and|y|e)\s(?:also\s|también\s)?(?=(?:what|how|when|where|who|which|is|does|do|can|qué|que|cómo|como|cuándo|cuando|cuánt[oa]s?|cuant[oa]s?|dónde|donde|quién|quien|cuál|cual|send|create|search|find|tell|envía|crea|busca|dime)\b)/i,
    )
    .map((part) => part.trim())
    .filter((part) => tokensOf(part, 20).some(({ word }) => !STOP_WORDS.has(word)));
  return marked.length > 1 && marked.length <= MAX_CLAUSES ? marked : [text];
}
