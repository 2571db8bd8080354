/** Statements made of parts of others, the same ones each time: what nobody thinks of writing into a list. */
const PARTS = /\s+|[A-Za-z_]\w*|'[^']*'|"[^"]*"|\[[^\]]*\]|--[^\n]*\n?|\/\*|\*\/|[^\s]/g;
const MAX_LENGTH = 300;

export function* mutatedStatements(statements: readonly string[], count: number): Generator<string> {
  const whole = statements.filter((sql) => sql.length <= MAX_LENGTH).map((sql) => sql.match(PARTS) ?? []);
  const parts = whole.flat();
  let state = 12_345;
  const below = (limit: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % limit;
  for (let n = 0; n < count; n++) {
    const sql = [...whole[below(whole.length)]!];
    for (let change = 0; change <= below(4); change++) {
      const at = below(sql.length + 1);
      const other = whole[below(whole.length)]!;
      const from = below(Math.max(other.length, 1));
      const kind = below(4);
      if (kind === 0) sql.splice(at, 1 + below(3));
      else if (kind === 1) sql.splice(at, 0, ' ', parts[below(parts.length)]!, ' ');
      else if (kind === 2) sql.splice(at, below(3), ...other.slice(from, from + 1 + below(8)));
      else sql.splice(at, 1, parts[below(parts.length)]!);
    }
    yield sql.join('');
  }
}
