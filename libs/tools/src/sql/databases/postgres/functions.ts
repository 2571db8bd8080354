/**
 * The functions of PostgreSQL that a query may call (SEC-46). What is not here is refused, whatever a newer server has
 * learned: aggregates, windows, and functions of numbers, texts, dates, ranges, arrays, JSON, networks and full text.
 *
 * None of them writes, waits, locks, reads a file, opens a connection, runs SQL from a text, or tells about the server
 * or its users; a test holds the list against the catalog of a real server.
 */
const names = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean);

export const FUNCTIONS: ReadonlySet<string> = new Set(
  names(`
    any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every
    json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique
    json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict
    jsonb_object_agg_unique jsonb_object_agg_unique_strict max min mode percentile_cont percentile_disc range_agg
    range_intersect_agg regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
    stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance
    cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

    abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd
    degrees div erf erfc exp factorial floor gamma gcd lcm lgamma ln log log10 min_scale mod numeric_div_trunc pi pow
    power radians random random_normal round scale sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket
    float8 float4 int2 int4 int8 numeric money bool

    ascii bit_count bit_length btrim casefold char_length character_length chr concat concat_ws convert convert_from
    convert_to crc32 crc32c decode encode format get_bit get_byte initcap is_normalized left length like_escape lower
    lpad ltrim md5 normalize octet_length overlay parse_ident position quote_ident quote_literal quote_nullable
    regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim set_bit set_byte sha224 sha256 sha384
    sha512 similar_escape similar_to_escape split_part starts_with string_to_array string_to_table strpos substr
    substring to_ascii to_bin to_hex to_oct translate unistr upper text varchar bpchar name

    age clock_timestamp date date_add date_bin date_part date_subtract date_trunc extract interval isfinite
    justify_days justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now
    overlaps statement_timestamp time timestamp timestamptz timetz timezone to_char to_date to_number to_timestamp
    transaction_timestamp

    datemultirange daterange int4multirange int4range int8multirange int8range isempty lower_inc lower_inf multirange
    nummultirange numrange range_merge tsmultirange tsrange tstzmultirange tstzrange upper_inc upper_inf

    array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
    array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_json
    array_to_string array_upper cardinality generate_series generate_subscripts trim_array unnest
    enum_first enum_last enum_range num_nonnulls num_nulls

    json json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
    json_each_text json_extract_path json_extract_path_text json_object json_object_keys json_populate_record
    json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_typeof jsonb jsonb_array_elements
    jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_concat jsonb_contains
    jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_extract_path
    jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz
    jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
    jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record
    jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls
    jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb

    abbrev broadcast cidr family host hostmask inet inet_merge inet_same_family masklen netmask network set_masklen
    macaddr macaddr8 macaddr8_set7bit uuid uuid_extract_timestamp uuid_extract_version

    array_to_tsvector json_to_tsvector jsonb_to_tsvector numnode phraseto_tsquery plainto_tsquery querytree setweight
    strip to_tsquery to_tsvector ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array
    websearch_to_tsquery

    pg_size_pretty pg_typeof
  `),
);

/** `TABLESAMPLE` by these alone: extensions add others. */
export const SAMPLE_METHODS: ReadonlySet<string> = new Set(['bernoulli', 'system']);
