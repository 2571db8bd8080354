import type { SqlDialect } from '@app/models';
import { RESERVED } from './reserved-words';

/** A name as SQL is to write it: bare where the engine reads it back as it is, else quoted in its way. */
export function quoteName(name: string, dialect: SqlDialect): string {
  // PostgreSQL lowers a bare name; the others find it whatever its case.
  const bare = dialect === 'PostgreSQL' ? /^[a-z_][a-z0-9_]*$/ : /^[a-z_][a-z0-9_]*$/i;
  if (bare.test(name) && !RESERVED[dialect].has(name.toLowerCase())) return name;
  if (dialect === 'MySQL' || dialect === 'MariaDB') return `\`${name.replaceAll('`', '``')}\``;
  if (dialect === 'SQL Server') return `[${name.replaceAll(']', ']]')}]`;
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Whether a name can be shown and written at all: control and format characters could make more of a line than a name,
 * and a quoted name must be exact.
 */
export const isPlainName = (name: string): boolean =>
  name !== '' && name.length <= MAX_NAME && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name) && name.trim() === name;

/** No engine here but SQLite knows longer ones. */
const MAX_NAME = 128;
