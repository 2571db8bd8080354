/**
 * Names that must not stand after a dot: `('/etc/passwd').pg_read_file` and `x.pg_sleep` call a function of one
 * argument where there is no column of that name (SEC-46).
 *
 * Those that begin like functions of the server's administration, and the few others that do more than compute. A test
 * holds this against the catalog of a real server; functions of the database itself are looked up in the session.
 */
const PREFIXES = /^(?:pg_|lo_|binary_upgrade_|txid_)/;

const OTHERS: ReadonlySet<string> = new Set([
  ...['nextval', 'currval', 'lastval', 'setval', 'setseed', 'set_config', 'current_setting', 'current_schemas'],
  ...['currtid', 'currtid2', 'row_security_active', 'plpgsql_validator', 'aclexplode', 'amvalidate'],
  ...['obj_description', 'col_description', 'shobj_description', 'mxid_age', 'oidvectortypes', 'loread', 'lowrite'],
  ...['query_to_xml', 'cursor_to_xml', 'table_to_xml', 'schema_to_xml', 'database_to_xml'],
  ...['brin_summarize_new_values', 'gin_clean_pending_list', 'ts_stat', 'ts_debug', 'ts_token_type'],
  ...['fmgr_c_validator', 'fmgr_internal_validator', 'fmgr_sql_validator', 'to_regclass', 'to_regcollation'],
  ...['to_regnamespace', 'to_regoper', 'to_regoperator', 'to_regproc', 'to_regprocedure', 'to_regrole', 'to_regtype'],
  ...['to_regtypemod', 'xmlvalidate', 'satisfies_hash_partition', 'format_type'],
]);

export const isRiskyAttribute = (name: string): boolean => PREFIXES.test(name) || OTHERS.has(name);
