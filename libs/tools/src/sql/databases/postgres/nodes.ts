/**
 * The nodes of PostgreSQL's grammar that a query may be made of, with all their fields (SEC-45).
 *
 * A field holds a `value` that says nothing to run, `nodes` (one or many, each under the name of its kind), or one
 * node in place, whose kind stands here. A node or a field that is not here is refused: a newer grammar may have
 * learned to do something with it.
 */
const READ: Readonly<Record<string, string>> = {
  SelectStmt: `distinctClause:nodes targetList:nodes fromClause:nodes whereClause:nodes groupClause:nodes groupDistinct
    havingClause:nodes windowClause:nodes valuesLists:nodes sortClause:nodes limitOffset:nodes limitCount:nodes
    limitOption withClause:WithClause op all larg:SelectStmt rarg:SelectStmt`,
  WithClause: 'ctes:nodes recursive',
  CommonTableExpr: `ctename aliascolnames:nodes ctematerialized ctequery:nodes search_clause:CTESearchClause
    cycle_clause:CTECycleClause`,
  CTESearchClause: 'search_col_list:nodes search_breadth_first search_seq_column',
  CTECycleClause: `cycle_col_list:nodes cycle_mark_column cycle_mark_value:nodes cycle_mark_default:nodes
    cycle_path_column`,

  RangeVar: 'catalogname schemaname relname inh relpersistence alias:Alias',
  RangeSubselect: 'lateral subquery:nodes alias:Alias',
  RangeFunction: 'lateral ordinality is_rowsfrom functions:nodes alias:Alias coldeflist:nodes',
  RangeTableSample: 'relation:nodes method:nodes args:nodes repeatable:nodes',
  JoinExpr: 'jointype isNatural larg:nodes rarg:nodes usingClause:nodes join_using_alias:Alias quals:nodes alias:Alias',
  Alias: 'aliasname colnames:nodes',
  ColumnDef: 'colname typeName:TypeName is_local collClause:CollateClause',

  ResTarget: 'name val:nodes',
  ColumnRef: 'fields:nodes',
  A_Star: '',
  A_Const: 'ival:Constant fval:Constant boolval:Constant sval:Constant bsval:Constant isnull',
  Constant: 'ival fval boolval sval bsval',
  A_Expr: 'kind name:nodes lexpr:nodes rexpr:nodes rexpr_list_start rexpr_list_end',
  A_ArrayExpr: 'elements:nodes list_start list_end',
  A_Indirection: 'arg:nodes indirection:nodes',
  A_Indices: 'is_slice lidx:nodes uidx:nodes',
  BoolExpr: 'boolop args:nodes',
  NullTest: 'arg:nodes nulltesttype argisrow',
  BooleanTest: 'arg:nodes booltesttype',
  CaseExpr: 'arg:nodes args:nodes defresult:nodes',
  CaseWhen: 'expr:nodes result:nodes',
  CoalesceExpr: 'args:nodes',
  MinMaxExpr: 'op args:nodes',
  RowExpr: 'args:nodes row_format colnames:nodes',
  SubLink: 'subLinkType testexpr:nodes operName:nodes subselect:nodes',
  SQLValueFunction: 'op typmod',
  TypeCast: 'arg:nodes typeName:TypeName',
  TypeName: 'names:nodes setof typmods:nodes typemod arrayBounds:nodes',
  CollateClause: 'arg:nodes collname:nodes',

  FuncCall: `funcname:nodes args:nodes agg_order:nodes agg_filter:nodes over:WindowDef agg_within_group agg_star
    agg_distinct func_variadic funcformat`,
  NamedArgExpr: 'arg:nodes name argnumber',
  WindowDef: `name refname partitionClause:nodes orderClause:nodes frameOptions startOffset:nodes endOffset:nodes`,
  SortBy: 'node:nodes sortby_dir sortby_nulls useOp:nodes',
  GroupingFunc: 'args:nodes',
  GroupingSet: 'kind content:nodes',

  JsonFuncExpr: `op column_name context_item:JsonValueExpr pathspec:nodes passing:nodes output:JsonOutput
    on_empty:JsonBehavior on_error:JsonBehavior wrapper quotes`,
  JsonValueExpr: 'raw_expr:nodes formatted_expr:nodes format:JsonFormat',
  JsonFormat: 'format_type encoding',
  JsonOutput: 'typeName:TypeName returning:JsonReturning',
  JsonReturning: 'format:JsonFormat',
  JsonBehavior: 'btype expr:nodes coerce',
  JsonArgument: 'val:JsonValueExpr name',
  JsonTable: `context_item:JsonValueExpr pathspec:JsonTablePathSpec passing:nodes columns:nodes on_error:JsonBehavior
    alias:Alias lateral`,
  JsonTablePathSpec: 'string:nodes name name_location',
  JsonTableColumn: `coltype name typeName:TypeName pathspec:JsonTablePathSpec format:JsonFormat wrapper quotes
    columns:nodes on_empty:JsonBehavior on_error:JsonBehavior`,
  JsonObjectConstructor: 'exprs:nodes output:JsonOutput absent_on_null unique',
  JsonKeyValue: 'key:nodes value:JsonValueExpr',
  JsonArrayConstructor: 'exprs:nodes output:JsonOutput absent_on_null',
  JsonArrayQueryConstructor: 'query:nodes output:JsonOutput format:JsonFormat absent_on_null',
  JsonAggConstructor: 'output:JsonOutput agg_filter:nodes agg_order:nodes over:WindowDef',
  JsonObjectAgg: 'constructor:JsonAggConstructor arg:JsonKeyValue absent_on_null unique',
  JsonArrayAgg: 'constructor:JsonAggConstructor arg:JsonValueExpr absent_on_null',
  JsonIsPredicate: 'expr:nodes format:JsonFormat item_type unique_keys',
  JsonParseExpr: 'expr:JsonValueExpr output:JsonOutput unique_keys',
  JsonScalarExpr: 'expr:nodes output:JsonOutput',
  JsonSerializeExpr: 'expr:JsonValueExpr output:JsonOutput',

  List: 'items:nodes',
  String: 'sval',
  Integer: 'ival',
  Float: 'fval',
  Boolean: 'boolval',
  BitString: 'bsval',
};

export type FieldKind = 'value' | 'nodes' | (string & {});

/** Every node has the place where it stands. */
const LOCATION: readonly [string, FieldKind] = ['location', 'value'];

export const NODES: ReadonlyMap<string, ReadonlyMap<string, FieldKind>> = new Map(
  Object.entries(READ).map(([node, fields]) => [
    node,
    new Map([
      LOCATION,
      ...fields
        .split(/\s+/)
        .filter(Boolean)
        .map((field): [string, FieldKind] => {
          const [name, kind = 'value'] = field.split(':');
          return [name!, kind];
        }),
    ]),
  ]),
);

/** What JSON nodes are called as functions: to an older server they are calls of functions of that name. */
export const CALLED: ReadonlyMap<string, readonly string[]> = new Map([
  ['JsonFuncExpr', ['json_value', 'json_query', 'json_exists']],
  ['JsonTable', ['json_table']],
  ['JsonObjectConstructor', ['json_object']],
  ['JsonArrayConstructor', ['json_array']],
  ['JsonArrayQueryConstructor', ['json_array']],
  ['JsonObjectAgg', ['json_objectagg']],
  ['JsonArrayAgg', ['json_arrayagg']],
  ['JsonParseExpr', ['json']],
  ['JsonScalarExpr', ['json_scalar']],
  ['JsonSerializeExpr', ['json_serialize']],
]);

/** Where a name that is not allowed says little to people. */
export const WORDS: ReadonlyMap<string, string> = new Map([
  ['intoClause', 'INTO'],
  ['lockingClause', 'FOR UPDATE'],
  ['VariableSetStmt', 'SET'],
  ['VariableShowStmt', 'SHOW'],
  ['CreateTableAsStmt', 'CREATE TABLE AS'],
  ['TransactionStmt', 'TRANSACTION'],
  ['DeclareCursorStmt', 'DECLARE'],
  ['ClosePortalStmt', 'CLOSE'],
  ['ParamRef', '$1'],
  ['SetToDefault', 'DEFAULT'],
  ['XmlExpr', 'XML'],
  ['XmlSerialize', 'XMLSERIALIZE'],
  ['RangeTableFunc', 'XMLTABLE'],
  ['pct_type', '%TYPE'],
]);
