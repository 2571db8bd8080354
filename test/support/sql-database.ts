import { toolContextSchema, type ToolContextOf } from '../../libs/contract/src/tool-context';

/** A database of a request, as the contract fills it in. */
export function sqlDatabase(fields: object): ToolContextOf<'sql_database'> {
  const parsed = toolContextSchema.parse({
    type: 'sql_database',
    connection_string: 'postgresql://ro:pw@db:5432/erp',
    ...fields,
  });
  if (parsed.type !== 'sql_database') throw new Error('not a database');
  return parsed;
}
