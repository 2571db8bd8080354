/** A workbook as a flat OpenDocument: one XML file that LibreOffice opens, computes and saves in any format. */

export type Cell =
  | string
  | number
  | boolean
  | null
  | {
      /** `2024-01-31`, or with a time. */
      readonly date?: string;
      /** `PT36H15M00S` */
      readonly duration?: string;
      /** Without `of:`: `=SUM([.A1:.A3])`. */
      readonly formula?: string;
      readonly value?: string | number;
      readonly style?: Style;
      /** Cells that it reaches over, itself included. */
      readonly across?: number;
      readonly down?: number;
    };

export type Style = 'percent' | 'euro' | 'dollar' | 'dayFirst' | 'dateTime' | 'clock' | 'duration' | 'padded';

export interface Sheet {
  readonly name: string;
  readonly hidden?: boolean;
  readonly rows: readonly (readonly Cell[])[];
  /** Counted from 0. */
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly number[];
}

export interface Book {
  readonly sheets: readonly Sheet[];
  /** Days are counted from 1904. */
  readonly from1904?: boolean;
}

const NAMESPACES = [
  'office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"',
  'fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
]
  .map((name) => `xmlns:${name}`)
  .join(' ');

const two = 'number:style="long"';
const STYLES: Readonly<Record<Style, string>> = {
  percent:
    '<number:percentage-style style:name="N"><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
  euro: '<number:currency-style style:name="N"><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/><number:text> </number:text><number:currency-symbol number:language="es" number:country="ES">€</number:currency-symbol></number:currency-style>',
  dollar:
    '<number:currency-style style:name="N"><number:currency-symbol number:language="en" number:country="US">$</number:currency-symbol><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>',
  dayFirst: `<number:date-style style:name="N"><number:day ${two}/><number:text>/</number:text><number:month ${two}/><number:text>/</number:text><number:year ${two}/></number:date-style>`,
  dateTime: `<number:date-style style:name="N"><number:year ${two}/><number:text>-</number:text><number:month ${two}/><number:text>-</number:text><number:day ${two}/><number:text> </number:text><number:hours ${two}/><number:text>:</number:text><number:minutes ${two}/><number:text>:</number:text><number:seconds ${two}/></number:date-style>`,
  clock: `<number:time-style style:name="N"><number:hours ${two}/><number:text>:</number:text><number:minutes ${two}/></number:time-style>`,
  duration: `<number:time-style style:name="N" number:truncate-on-overflow="false"><number:hours ${two}/><number:text>:</number:text><number:minutes ${two}/><number:text>:</number:text><number:seconds ${two}/></number:time-style>`,
  padded:
    '<number:number-style style:name="N"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>',
};

export function flatDocument({ sheets, from1904 }: Book): string {
  const names = Object.keys(STYLES) as Style[];
  const styles = names
    .map(
      (name) =>
        STYLES[name].replace('style:name="N"', `style:name="N_${name}"`) +
        `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N_${name}"/>`,
    )
    .join('');
  const epoch = from1904
    ? '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>'
    : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>${styles}<style:style style:name="hiddenSheet" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet>${epoch}${sheets.map(table).join('\n')}</office:spreadsheet></office:body>
</office:document>`;
}

function table({ name, hidden, rows, hiddenRows = [], hiddenColumns = [] }: Sheet): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const columns = Array.from({ length: width }, (_, at) =>
    hiddenColumns.includes(at) ? '<table:table-column table:visibility="collapse"/>' : '<table:table-column/>',
  ).join('');
  const body = rows.map((row, at) => {
    const visibility = hiddenRows.includes(at) ? ' table:visibility="collapse"' : '';
    return `<table:table-row${visibility}>${row.length > 0 ? row.map(cell).join('') : cell(null)}</table:table-row>`;
  });
  return `<table:table table:name="${escape(name)}"${hidden ? ' table:style-name="hiddenSheet"' : ''}>${columns}${body.join('\n')}</table:table>`;
}

function cell(given: Cell): string {
  if (given === null) return '<table:table-cell/>';
  if (typeof given === 'number') return `<table:table-cell office:value-type="float" office:value="${given}"/>`;
  if (typeof given === 'boolean')
    return `<table:table-cell office:value-type="boolean" office:boolean-value="${given}"/>`;
  if (typeof given === 'string') return text(given, '');
  const { date, duration, formula, value, style, across, down } = given;
  const attributes = [
    style ? ` table:style-name="${style}"` : '',
    formula ? ` table:formula="of:${escape(formula)}"` : '',
    across ? ` table:number-columns-spanned="${across}" table:number-rows-spanned="${down ?? 1}"` : '',
    down && !across ? ` table:number-rows-spanned="${down}" table:number-columns-spanned="1"` : '',
  ].join('');
  if (date) return `<table:table-cell${attributes} office:value-type="date" office:date-value="${date}"/>`;
  if (duration) return `<table:table-cell${attributes} office:value-type="time" office:time-value="${duration}"/>`;
  if (typeof value === 'number') {
    const type = style === 'percent' ? 'percentage' : style === 'euro' || style === 'dollar' ? 'currency' : 'float';
    return `<table:table-cell${attributes} office:value-type="${type}" office:value="${value}"/>`;
  }
  return value === undefined ? `<table:table-cell${attributes}/>` : text(value, attributes);
}

const text = (value: string, attributes: string) =>
  `<table:table-cell${attributes} office:value-type="string">${value
    .split('\n')
    .map((line) => `<text:p>${escape(line)}</text:p>`)
    .join('')}</table:table-cell>`;

const escape = (value: string) =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('  ', ' <text:s/>');
