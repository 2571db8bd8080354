import { InvalidRequestError, type MetadataCondition } from '@app/contract';
import { TENANT_KEYS } from './ingested-document';
import { sqlText } from './sql-text';

type Scalar = string | number | boolean;
type Value = Scalar | readonly Scalar[];

/** Notes a value as a parameter of the query and returns its placeholder; callers' words never become SQL. */
export type Bind = (value: unknown) => string;

/**
 * Metadata conditions as one SQL condition over `artifact a` and `collection co`, joined by AND
 * (messages-api §5.3, SEC-104).
 *
 * A list in the metadata is tested by its elements, of which one is enough (`all`: each value needs one). `!=` and
 * `nin` are the exact opposites of `==` and `in`, so that they hold where the key is missing. Types are not mixed:
 * numbers are compared as numbers, texts as texts by code point, which is right for ISO dates.
 *
 * @throws InvalidRequestError for a value that the operator cannot use, and for keys that are not the caller's.
 */
export function metadataCondition(conditions: readonly MetadataCondition[], bind: Bind): string {
  return conditions.map((condition) => `(${one(condition, bind)})`).join(' AND ') || 'true';
}

function one({ key, operator, value }: MetadataCondition, bind: Bind): string {
  if (TENANT_KEYS.has(key.toLowerCase())) throw new InvalidRequestError(`The metadata key ${key} is reserved.`);
  const stored = storedValue(key, bind);
  if (operator === 'is_empty') {
    return `coalesce(${stored}, 'null') IN ('null', '""', '[]', '{}')`;
  }
  if (value === undefined || value === null) throw unfit(key, operator, 'needs a value');
  switch (operator) {
    case '==':
      return equals(stored, value, bind);
    case '!=':
      return `NOT ${equals(stored, value, bind)}`;
    case 'in':
    case 'any':
      return isAmong(stored, value, bind);
    case 'nin':
      return `NOT ${isAmong(stored, value, bind)}`;
    case 'all':
      return `coalesce(${elements(stored)} @> ${json(list(value), bind)}, false)`;
    case 'contains':
      return contains(stored, value, bind);
    case 'text_match':
      return someText(stored, 'element', bind(text(key, operator, value)));
    case 'text_match_insensitive':
      return someText(stored, 'lower(element)', `lower(${bind(text(key, operator, value))})`);
    default:
      return compares(stored, operator, key, value, bind);
  }
}

/** What the key means for an artifact, as jsonb; SQL's NULL where there is no such key. */
function storedValue(key: string, bind: Bind): string {
  switch (key) {
    case 'artifact_id':
      return 'to_jsonb(a.name)';
    case 'collection':
      return 'to_jsonb(co.name)';
    case 'file_name':
      return 'to_jsonb(a.file_name)';
    case 'file_id':
      return `coalesce(a.metadata -> 'file_id', to_jsonb(a.name))`;
    default: {
      const name = `${bind(key)}::text`;
      if (!key.includes('.')) return `(a.metadata -> ${name})`;
      return `coalesce(a.metadata -> ${name}, a.metadata #> string_to_array(${name}, '.'))`;
    }
  }
}

function equals(stored: string, value: Value, bind: Bind): string {
  const wanted = json(value, bind);
  // A list as the wanted value means that very list.
  if (Array.isArray(value)) return `coalesce(${stored} = ${wanted}, false)`;
  return `coalesce(${stored} = ${wanted} OR (jsonb_typeof(${stored}) = 'array' AND ${stored} @> ${wanted}), false)`;
}

const isAmong = (stored: string, value: Value, bind: Bind) =>
  `EXISTS (SELECT FROM jsonb_array_elements(${elements(stored)}) AS e WHERE ${json(list(value), bind)} @> e)`;

/** A list has each of the values, or a text has each of them in it. */
function contains(stored: string, value: Value, bind: Bind): string {
  const inText = list(value)
    .map((each) => `strpos(${stored} #>> '{}', ${bind(String(each))}::text) > 0`)
    .join(' AND ');
  return `coalesce(CASE jsonb_typeof(${stored})
    WHEN 'array' THEN ${stored} @> ${json(list(value), bind)} WHEN 'string' THEN ${inText || 'true'} END, false)`;
}

function compares(stored: string, operator: '>' | '<' | '>=' | '<=', key: string, value: Value, bind: Bind): string {
  if (typeof value === 'number') {
    return someElement(
      stored,
      `CASE WHEN jsonb_typeof(e) = 'number' THEN (e #>> '{}')::numeric ${operator} ${bind(String(value))}::numeric END`,
    );
  }
  if (typeof value !== 'string') throw unfit(key, operator, 'compares with a number or a text');
  return someElement(
    stored,
    `CASE WHEN jsonb_typeof(e) = 'string' THEN (e #>> '{}') COLLATE "C" ${operator} ${bind(value)}::text END`,
  );
}

/** `element` is written in terms of the element's text. */
const someText = (stored: string, element: string, wanted: string) =>
  someElement(
    stored,
    `jsonb_typeof(e) = 'string' AND strpos(${element.replace('element', "e #>> '{}'")}, ${wanted}::text) > 0`,
  );

/** A list as it is, anything else as a list of one. */
const elements = (stored: string) =>
  `CASE jsonb_typeof(${stored}) WHEN 'array' THEN ${stored} ELSE jsonb_build_array(${stored}) END`;

const someElement = (stored: string, condition: string) =>
  `EXISTS (SELECT FROM jsonb_array_elements(${elements(stored)}) AS e WHERE ${condition})`;

const list = (value: Value): readonly Scalar[] => (Array.isArray(value) ? value : [value as Scalar]);

const json = (value: Value, bind: Bind) =>
  `${bind(JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? sqlText(each) : each)))}::jsonb`;

function text(key: string, operator: string, value: Value): string {
  if (typeof value === 'object') throw unfit(key, operator, 'looks for one text');
  return String(value);
}

const unfit = (key: string, operator: string, what: string) =>
  new InvalidRequestError(`The metadata filter on ${key} cannot be used: the operator ${operator} ${what}.`);
