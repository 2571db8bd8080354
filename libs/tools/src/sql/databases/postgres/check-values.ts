/** The values that a check lets a column have, where all it does is to list them. */

/** As the server writes it out: `CHECK ((state = ANY (ARRAY['new'::text, 'paid'::text])))`, casts and brackets aside. */
const LIST = /^CHECK \(\(\(*(?:"(?:[^"]|"")+"|\w+)\)*(?:::[\w ]+)? = ANY \(\(*ARRAY\[([^]*?)\]\)*(?:::[\w ]+\[\])?\)*$/;
const ITEM = /\s*(?:\(*'((?:[^']|'')*)'\)*|\(*(-?\d+(?:\.\d+)?)\)*)(?:::[\w ]+(?:\(\d+\))?\)*)*\s*(?:,|$)/y;
const ONE = /^CHECK \(\(\(*(?:"(?:[^"]|"")+"|\w+)\)*(?:::[\w ]+)? = '((?:[^']|'')*)'(?:::[\w ]+)?\)*$/;

export function listedValues(definition: string): readonly string[] | undefined {
  const one = ONE.exec(definition);
  if (one) return [unquoted(one[1]!)];
  const list = LIST.exec(definition)?.[1];
  if (list === undefined) return undefined;
  const values: string[] = [];
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < list.length) {
    const item = ITEM.exec(list);
    if (!item) return undefined;
    values.push(item[1] === undefined ? item[2]! : unquoted(item[1]));
  }
  return values;
}

const unquoted = (text: string): string => text.replaceAll("''", "'");
