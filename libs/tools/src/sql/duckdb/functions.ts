/**
 * The functions that a query over tables may call (SEC-62). What is not here is refused, whatever DuckDB has learned
 * meanwhile: aggregates, windows, and functions of numbers, texts, dates, lists, structs and JSON values.
 */
const names = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean);

export const SCALAR_FUNCTIONS: ReadonlySet<string> = new Set(
  names(`
    + - * / // % ** ^ || & | ~ << >> ! @ ~~ !~~ ~~* !~~* ~~~ -> ->> @> <@ && ^@
    like_escape not_like_escape ilike_escape not_ilike_escape regexp_full_match

    any_value arbitrary first last arg_max arg_min max_by min_by argmax argmin arg_max_null arg_min_null
    avg mean favg fsum sum sumkahan kahan_sum sum_no_overflow count count_star count_if countif min max product
    bit_and bit_or bit_xor bool_and bool_or median mode mad quantile quantile_cont quantile_disc percentile_cont
    percentile_disc approx_count_distinct approx_quantile approx_top_k entropy kurtosis kurtosis_pop
    skewness stddev stddev_pop stddev_samp sem var_pop var_samp variance corr covar_pop covar_samp regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy histogram histogram_exact list array_agg
    string_agg group_concat listagg map_from_entries
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value fill

    abs ceil ceiling floor round round_even roundbankers trunc sign sqrt cbrt exp ln log log2 log10 pow power pi
    degrees radians sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh mod fmod fdiv gcd greatest_common_divisor
    lcm least_common_multiple factorial even gamma lgamma nextafter isnan isinf isfinite signbit greatest least divide
    multiply subtract add bit_count xor width_bucket equi_width_bins hash

    concat concat_ws length len strlen char_length character_length lower upper lcase ucase initcap trim ltrim rtrim
    substring substr substring_grapheme left right left_grapheme right_grapheme length_grapheme lpad rpad replace
    translate reverse starts_with ends_with suffix prefix contains instr strpos position regexp_matches regexp_replace
    regexp_extract regexp_extract_all regexp_split_to_array regexp_split_to_table regexp_escape split split_part
    string_split str_split string_to_array string_split_regex str_split_regex ascii ord chr unicode unbin bin hex unhex to_hex
    from_hex to_base from_base base64 to_base64 from_base64 encode decode md5 sha1 sha256 format printf strip_accents
    levenshtein editdist3 damerau_levenshtein jaccard jaro_similarity jaro_winkler_similarity hamming mismatches
    nfc_normalize bar array_extract array_slice bit_length octet_length overlay

    coalesce nullif ifnull if nvl constant_or_null error typeof alias

    date_part datepart date_trunc datetrunc date_diff datediff date_sub datesub date_add strftime strptime try_strptime
    extract year month day hour minute second millisecond microsecond quarter week weekday weekofyear yearweek
    dayofweek dayofmonth dayofyear dayname monthname isodow isoyear era decade century millennium epoch epoch_ms
    epoch_us epoch_ns julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamptz age
    time_bucket timezone to_timestamp to_years to_quarters to_months to_weeks to_days to_hours to_minutes to_seconds
    to_milliseconds to_microseconds to_decades to_centuries to_millennia today current_date get_current_time current_time
    get_current_timestamp now current_timestamp current_localtime current_localtimestamp transaction_timestamp
    timetz_byte_comparable normalized_interval justify_days justify_hours justify_interval

    list_value list_pack array_value list_extract list_element list_slice list_contains list_has array_contains array_has list_has_any
    array_has_any list_has_all array_has_all list_position list_indexof array_position array_indexof list_append
    array_append list_prepend array_prepend list_concat list_cat array_concat array_cat list_distinct array_distinct
    list_unique array_unique list_sort array_sort list_reverse_sort array_reverse_sort list_reverse array_reverse
    list_sum list_avg list_min list_max list_count list_median list_mode list_first list_last list_any_value
    list_string_agg list_product list_aggregate array_aggregate list_aggr array_aggr aggregate list_transform array_transform list_apply
    array_apply apply list_filter array_filter filter list_reduce array_reduce reduce list_zip array_zip list_where
    array_where list_select array_select list_grade_up array_grade_up list_intersect array_intersect list_resize
    array_resize flatten array_length array_to_string list_to_string range generate_series unnest cardinality
    row struct_pack struct_extract struct_extract_at struct_insert struct_concat struct_keys map map_keys map_values map_entries
    map_extract map_extract_value map_contains element_at union_value union_tag union_extract
    json json_extract json_extract_path json_extract_string json_extract_path_text json_value json_array_length
    json_type json_valid json_keys json_contains json_exists json_array json_object to_json from_json json_structure
    grouping grouping_id
  `),
);

/** Functions that may stand in FROM: they make rows out of values, and read nothing. */
export const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'regexp_split_to_table',
]);
