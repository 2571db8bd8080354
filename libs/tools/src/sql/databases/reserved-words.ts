/**
 * Words that cannot be a bare name. PostgreSQL: what a column or a table may not be called, of `pg_get_keywords()`;
 * MySQL: of MySQL 8.4 and MariaDB 10.11 together; SQLite: those without a fallback to an identifier.
 */
import type { SqlDialect } from '@app/models';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const POSTGRES = words(`
  all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast
  char character check coalesce collate collation column concurrently constraint create cross current_catalog
  current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
  desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group
  grouping having ilike in initially inner inout int integer intersect interval into is isnull join json json_array
  json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value
  lateral leading least left like limit localtime localtimestamp merge_action national natural nchar none normalize not
  notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary
  real references returning right row select session_user setof similar smallint some substring symmetric system_user
  table tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic
  verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
  xmlroot xmlserialize xmltable`);

const MYSQL = words(`
  accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade case
  change char character check collate column condition constraint continue convert create cross cube cume_dist
  current_date current_role current_time current_timestamp current_user cursor database databases day_hour
  day_microsecond day_minute day_second dec decimal declare default delayed delete delete_domain_id dense_rank desc
  describe deterministic distinct distinctrow div do_domain_ids double drop dual each else elseif empty enclosed escaped
  except exists exit explain false fetch first_value float float4 float8 for force foreign from fulltext function
  generated get grant group grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore
  ignore_domain_ids in index infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect
  interval into io_after_gtids io_before_gtids is iterate join json_table key keys kill lag last_value lateral lead
  leading leave left like limit linear lines load localtime localtimestamp lock long longblob longtext loop low_priority
  manual master_bind master_demote_to_replica master_demote_to_slave master_ssl_verify_server_cert match maxvalue
  mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural no_write_to_binlog not
  nth_value ntile null numeric of offset on optimize optimizer_costs option optionally or order out outer outfile over
  page_checksum parallel parse_vcol_expr partition percent_rank portion precision primary procedure purge qualify range
  rank read read_write reads real recursive ref_system_id references regexp release rename repeat replace require
  resignal restrict return returning revoke right rlike row row_number rows schema schemas second_microsecond select
  sensitive separator set show signal smallint spatial specific sql sql_big_result sql_buffer_result sql_cache
  sql_calc_found_rows sql_no_cache sql_small_result sqlexception sqlstate sqlwarning ssl starting stats_auto_recalc
  stats_persistent stats_sample_pages stored straight_join system table tablesample terminated then tinyblob tinyint
  tinytext to trailing trigger true undo union unique unlock unsigned update usage use using utc_date utc_time
  utc_timestamp values varbinary varchar varcharacter varying virtual when where while window with write xor year_month
  zerofill`);

const SQL_SERVER = words(`
  add all alter and any as asc authorization backup begin between break browse bulk by cascade case check checkpoint
  close clustered coalesce collate column commit compute constraint contains containstable continue convert create cross
  current current_date current_time current_timestamp current_user cursor database dbcc deallocate declare default
  delete deny desc disk distinct distributed double drop dump else end errlvl escape except exec execute exists exit
  external fetch file fillfactor for foreign freetext freetexttable from full function goto grant group having holdlock
  identity identity_insert identitycol if in index inner insert intersect into is join key kill left like lineno load
  merge national nocheck nonclustered not null nullif of off offsets on open opendatasource openquery openrowset openxml
  option or order outer over percent pivot plan precision primary print proc procedure public raiserror read readtext
  reconfigure references replication restore restrict return revert revoke right rollback rowcount rowguidcol rule save
  schema securityaudit select semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable session_user
  set setuser shutdown some statistics system_user table tablesample textsize then to top tran transaction trigger
  truncate try_convert tsequal union unique unpivot update updatetext use user values varying view waitfor when where
  while with within writetext`);

const SQLITE = words(`
  add all alter and as autoincrement between case check collate commit constraint create current_date current_time
  current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having if in
  index insert intersect into is isnull join limit not nothing notnull null on or order primary references returning
  select set table then to transaction union unique update using values when where`);

/** Those of DuckDB are PostgreSQL's. */
export const RESERVED: Record<SqlDialect, ReadonlySet<string>> = {
  DuckDB: POSTGRES,
  PostgreSQL: POSTGRES,
  MySQL: MYSQL,
  MariaDB: MYSQL,
  'SQL Server': SQL_SERVER,
  SQLite: SQLITE,
};
