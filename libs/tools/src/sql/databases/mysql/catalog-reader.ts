/** What there is in a MySQL or MariaDB server, out of its information schema. */
import type { Catalog, CatalogColumn, CatalogRoutine, CatalogTable, CatalogWish, ForeignKey } from '../catalog';
import type { DatabaseTarget } from '../target';
import type { MysqlClient } from './mysql-client';
import { isSafeRoutine } from './read-only-session';
import { isSystemSchema } from './select-grammar';

/** Columns, keys and parameters at most, for each object that may be read. */
const PARTS_PER_OBJECT = 100;
/** Lists of labels that are longer are no help to anybody. */
const MAX_LABELS = 200;

type Text = string | null;

export async function readCatalog(client: MysqlClient, target: DatabaseTarget, wish: CatalogWish): Promise<Catalog> {
  const schemas = await schemasOf(client, target, wish.schemas);
  const [zone] = await client.ask<string[]>("SELECT IF(@@time_zone = 'SYSTEM', @@system_time_zone, @@time_zone)");
  const product = client.isMariaDb
    ? `MariaDB ${client.version.replace(/-MariaDB.*$/i, '')}`
    : `MySQL ${client.version.replace(/-.*$/, '')}`;
  const catalog = { product, timeZone: zone?.[0] ?? '', schemas };
  if (schemas.length === 0) return { ...catalog, tables: [], routines: [], truncated: false };
  const reader = new CatalogReader(client, schemas, wish);
  const tables = await reader.tables();
  const routines = await reader.routines(wish.maxObjects - tables.length);
  return { ...catalog, tables, routines, truncated: reader.truncated };
}

async function schemasOf(
  client: MysqlClient,
  { database }: DatabaseTarget,
  wanted: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await client.ask<[string]>('SELECT schema_name FROM information_schema.schemata ORDER BY schema_name');
  const there = rows.map(([name]) => name).filter((name) => !isSystemSchema(name));
  if (wanted) return wanted.filter((name) => there.includes(name));
  return [...there.filter((name) => name === database), ...there.filter((name) => name !== database)];
}

class CatalogReader {
  truncated = false;

  private readonly places: string;

  constructor(
    private readonly client: MysqlClient,
    private readonly schemas: readonly string[],
    private readonly wish: CatalogWish,
  ) {
    this.places = schemas.map(() => '?').join(', ');
  }

  async tables(): Promise<CatalogTable[]> {
    const { tables, views, maxObjects } = this.wish;
    const types = [...(tables ? ['BASE TABLE', 'SYSTEM VERSIONED'] : []), ...(views ? ['VIEW'] : [])];
    if (types.length === 0 || maxObjects <= 0) return [];
    const found = await this.rows<[string, string, string, Text, string | number | null]>(
      `SELECT table_schema, table_name, table_type, table_comment, table_rows FROM information_schema.tables
       WHERE table_schema IN (${this.places}) AND table_type IN (${types.map(() => '?').join(', ')})
       ORDER BY FIELD(table_schema, ${this.places}), table_name LIMIT ${maxObjects + 1}`,
      [...this.schemas, ...types, ...this.schemas],
      maxObjects + 1,
    );
    const kept = found.slice(0, maxObjects);
    this.truncated ||= found.length > maxObjects;
    const columns = await this.columns();
    const keys = await this.keys();
    return kept.map(([schema, name, type, comment, rows]) => {
      const key = keyOf(schema, name);
      const view = type === 'VIEW';
      return {
        schema,
        name,
        kind: view ? 'view' : 'table',
        ...(comment && !(view && comment === 'VIEW') && { comment }),
        ...(!view && rows !== null && { rowEstimate: Number(rows) }),
        columns: columns.get(key) ?? [],
        primaryKey: keys.primary.get(key) ?? [],
        foreignKeys: [...(keys.foreign.get(key)?.values() ?? [])],
      };
    });
  }

  /** @param room how many may still be read. */
  async routines(room: number): Promise<CatalogRoutine[]> {
    const { functions, procedures } = this.wish;
    const types = [...(functions ? ['FUNCTION'] : []), ...(procedures ? ['PROCEDURE'] : [])];
    if (types.length === 0) return [];
    const most = Math.max(0, room);
    const found = await this.rows<[string, string, string, Text, Text, string, string]>(
      `SELECT routine_schema, routine_name, routine_type, dtd_identifier, routine_comment, security_type, sql_data_access
       FROM information_schema.routines
       WHERE routine_schema IN (${this.places}) AND routine_type IN (${types.map(() => '?').join(', ')})
       ORDER BY FIELD(routine_schema, ${this.places}), routine_name LIMIT ${most + 1}`,
      [...this.schemas, ...types, ...this.schemas],
      most + 1,
    );
    this.truncated ||= found.length > most;
    if (found.length === 0) return [];
    const parameters = await this.parameters();
    return found.slice(0, most).map(([schema, name, type, returns, comment, security, access]) => {
      const isFunction = type === 'FUNCTION';
      const list = parameters.get(keyOf(schema, name, type))?.join(', ') ?? '';
      return {
        schema,
        name,
        kind: isFunction ? 'function' : 'procedure',
        signature: `${name}(${list})${isFunction && returns ? ` returns ${returns}` : ''}`,
        ...(comment && { comment }),
        callable: isFunction && isSafeRoutine(security, access),
      };
    });
  }

  private async columns(): Promise<Map<string, CatalogColumn[]>> {
    const rows = await this.rows<[string, string, string, string, string, string, Text]>(
      `SELECT table_schema, table_name, column_name, data_type, column_type, is_nullable, column_comment
       FROM information_schema.columns WHERE table_schema IN (${this.places})
       ORDER BY table_schema, table_name, ordinal_position`,
      this.schemas,
    );
    const checks = await this.checks();
    const columns = new Map<string, CatalogColumn[]>();
    for (const [schema, table, name, dataType, columnType, nullable, comment] of rows) {
      const check = checks.get(keyOf(schema, table, name));
      const labels = dataType === 'enum' ? labelsOf(columnType) : check?.values;
      add(columns, keyOf(schema, table), {
        name,
        type: check?.json ? 'json' : dataType === 'enum' ? 'enum' : columnType,
        nullable: nullable === 'YES',
        ...(comment && { comment }),
        ...(labels && labels.length > 0 && labels.length <= MAX_LABELS && { enumValues: labels }),
      });
    }
    return columns;
  }

  private async keys() {
    const rows = await this.rows<[string, string, string, string, Text, Text, Text]>(
      `SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
         referenced_column_name
       FROM information_schema.key_column_usage
       WHERE table_schema IN (${this.places}) AND (constraint_name = 'PRIMARY' OR referenced_table_name IS NOT NULL)
       ORDER BY table_schema, table_name, constraint_name, ordinal_position`,
      this.schemas,
    );
    const primary = new Map<string, string[]>();
    const foreign = new Map<string, Map<string, Writable>>();
    for (const [schema, table, constraint, column, toSchema, toTable, toColumn] of rows) {
      const key = keyOf(schema, table);
      if (toSchema === null || toTable === null || toColumn === null) {
        add(primary, key, column);
        continue;
      }
      const ofTable = foreign.get(key) ?? new Map<string, Writable>();
      foreign.set(key, ofTable);
      const one = ofTable.get(constraint) ?? { columns: [], schema: toSchema, table: toTable, references: [] };
      ofTable.set(constraint, one);
      one.columns.push(column);
      one.references.push(toColumn);
    }
    return { primary, foreign };
  }

  /** `status IN ('open', 'paid')` and `json_valid(data)`; servers without check constraints have none of them. */
  private async checks(): Promise<Map<string, { values?: string[]; json?: boolean }>> {
    const sql = this.client.isMariaDb
      ? `SELECT constraint_schema, table_name, check_clause FROM information_schema.check_constraints
         WHERE constraint_schema IN (${this.places})`
      : `SELECT c.constraint_schema, t.table_name, c.check_clause FROM information_schema.check_constraints c
         JOIN information_schema.table_constraints t
           ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
         WHERE c.constraint_schema IN (${this.places}) AND t.constraint_type = 'CHECK'`;
    const rows = await this.rows<[string, string, string]>(sql, this.schemas).catch(() => []);
    const checks = new Map<string, { values?: string[]; json?: boolean }>();
    for (const [schema, table, clause] of rows) {
      const json = /^\(?json_valid\(`((?:[^`]|``)+)`\)\)?$/i.exec(clause);
      if (json) checks.set(keyOf(schema, table, json[1]!), { json: true });
      const list = /^\(?`((?:[^`]|``)+)` in \(((?:(?:_[a-z0-9]+)?\\?'(?:[^'\\]|''|\\.)*?\\?',?\s*)+)\)\)?$/i.exec(
        clause,
      );
      if (list) checks.set(keyOf(schema, table, list[1]!), { values: labelsOf(list[2]!) });
    }
    return checks;
  }

  private async parameters(): Promise<Map<string, string[]>> {
    const rows = await this.rows<[string, string, string, Text, Text, string]>(
      `SELECT specific_schema, specific_name, routine_type, parameter_mode, parameter_name, dtd_identifier
       FROM information_schema.parameters WHERE specific_schema IN (${this.places}) AND ordinal_position > 0
       ORDER BY specific_schema, specific_name, ordinal_position`,
      this.schemas,
    );
    const parameters = new Map<string, string[]>();
    for (const [schema, routine, type, mode, name, dataType] of rows) {
      const direction = type === 'PROCEDURE' && mode !== null && mode !== 'IN' ? `${mode.toLowerCase()} ` : '';
      add(parameters, keyOf(schema, routine, type), `${direction}${name ?? ''} ${dataType}`.trim());
    }
    return parameters;
  }

  private rows<Row extends readonly unknown[]>(
    sql: string,
    values: readonly string[],
    most = (this.wish.maxObjects + 1) * PARTS_PER_OBJECT,
  ): Promise<Row[]> {
    return this.client.ask<Row>(sql, values, most);
  }
}

type Writable = {
  -readonly [Key in keyof ForeignKey]: ForeignKey[Key] extends readonly (infer T)[] ? T[] : ForeignKey[Key];
};

const keyOf = (...names: string[]): string => JSON.stringify(names);

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** `enum('a','it''s')` */
const labelsOf = (list: string): string[] =>
  [...list.matchAll(/\\?'((?:[^'\\]|''|\\[^'])*)\\?'/g)].map(([, label]) => label!.replaceAll("''", "'"));
