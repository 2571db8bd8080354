/**
 * Variables that look like settings of ours and are none, so that a slip is told instead of doing nothing.
 *
 * An environment is everybody's: what other programs read by right is left alone. Only names are looked at and told,
 * with one exception: a cluster tells addresses under names that could be ours, and only what they hold shows it.
 */
import type { Logger } from '../logging/logger';

export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly nearest: string;
}

/** What people put before a name to say whose it is; the commands do. */
const OWN = 'TOOLWRIGHT_';
const OF_THE_COMMANDS = ['TOOLWRIGHT_URL', 'TOOLWRIGHT_KEY', 'TOOLWRIGHT_ORG'];

/** Names under which others know a setting, where the letters lead elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = { OPENAI_API_BASE: 'OPENAI_BASE_URL', OPENAI_MODEL: 'MODEL' };

const OF_OTHERS = [
  /^OPENAI_(ORG_ID|ORGANIZATION|PROJECT|PROJECT_ID|LOG|ADMIN_KEY|WEBHOOK_SECRET|API_TYPE|API_VERSION)$/,
  // Hosts tell how many processes there may be, and further ways to the database.
  /^WEB_(CONCURRENCY|MEMORY)$/,
  /^DATABASE_((PUBLIC|PRIVATE|CONNECTION_POOL)_URL|URL_(UNPOOLED|NON_POOLING))$/,
  // Kubernetes and Docker, of each service: the first word is its name.
  /_SERVICE_(HOST|PORT(_\w+)?)$/,
  /_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/,
  /_ENV_/,
];
/** No name is as long: one more word in common weighs more than any change of letters. */
const LONGEST = 100;
const CLUSTER_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** Those of an environment, in its order. What is set to nothing is not set. */
export function unknownSettings(environment: NodeJS.ProcessEnv, settings: readonly string[]): UnknownSetting[] {
  const known = [...settings, ...OF_THE_COMMANDS];
  const families = familiesOf(known);
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || known.includes(name) || OF_OTHERS.some((other) => other.test(name))) return [];
    if (name.endsWith('_PORT') && CLUSTER_ADDRESS.test(value)) return [];
    const nearest = meantBy(name.toUpperCase().replaceAll(/[-.]/g, '_'), known, families);
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

/** Once, at the start. */
export function tellUnknownSettings(unknown: readonly UnknownSetting[], logger: Pick<Logger, 'warn'>): void {
  for (const { name, nearest } of unknown) {
    logger.warn(`${name} is no setting of this server, and nothing reads it. The nearest is ${nearest}.`);
  }
}

/** The first words that several settings share, each with its underscore. */
function familiesOf(settings: readonly string[]): Set<string> {
  const words = settings.flatMap((name) => /^[A-Z]+_/.exec(name) ?? []);
  return new Set(words.filter((word, at) => words.indexOf(word) !== at));
}

function meantBy(name: string, known: readonly string[], families: ReadonlySet<string>): string | undefined {
  if (name in ELSEWHERE) return ELSEWHERE[name];
  const slip = (name.startsWith(OWN) ? slipOf(name.slice(OWN.length), known) : undefined) ?? slipOf(name, known);
  if (slip !== undefined) return slip;
  const begun = known.filter((setting) => setting.includes('_') && name.startsWith(setting));
  if (begun.length > 0) return closest(name, begun);
  const family = /^[A-Z]+_/.exec(name)?.[0] ?? '';
  return families.has(family)
    ? closest(
        name,
        known.filter((setting) => setting.startsWith(family)),
      )
    : undefined;
}

function slipOf(name: string, known: readonly string[]): string | undefined {
  const slips = known.filter((setting) => isSlip(name, setting));
  return slips.length > 0 ? closest(name, slips) : undefined;
}

/** With the most words in common, and among those the one that takes the fewest changes. */
function closest(name: string, settings: readonly string[]): string {
  const words = name.split('_');
  const rank = (setting: string) =>
    changes(name, setting) - LONGEST * setting.split('_').filter((word) => words.includes(word)).length;
  return settings.reduce((best, setting) => (rank(setting) < rank(best) ? setting : best));
}

/** Short words are a slip away from many others: there, only two letters that have changed places count. */
function isSlip(name: string, setting: string): boolean {
  if (name === setting) return true;
  const allowed = setting.length < 9 ? 1 : 2;
  if (Math.abs(name.length - setting.length) > allowed || changes(name, setting) > allowed) return false;
  return setting.length > 5 || sorted(name) === sorted(setting);
}

const sorted = (name: string) => [...name].sort().join('');

/** Letters that are missing, too many, others, or have changed places with their neighbour. */
function changes(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      next[j] = Math.min(row[j - 1]! + (same ? 0 : 1), row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
      }
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
