import type { DocumentBlock } from '../parsers/parser';
import { documentTables } from './document-tables';
import { TABLE_LIMITS } from './table-input';

const table = (text: string): DocumentBlock => ({ kind: 'table', text });
const PRICES = table('| Item | Price |\n| --- | --- |\n| Nails | 3 |\n| Screws \\| bolts | 4 |');
const tablesOf = (blocks: DocumentBlock[], format = 'docx', limits = TABLE_LIMITS) =>
  documentTables({ format, blocks }, limits);

describe('the tables of a document', () => {
  it('have their header and rows, with bars that are escaped', () => {
    const [found] = tablesOf([PRICES]);
    expect(found).toMatchObject({ headerRows: 1, hidden: false, title: '' });
    expect([...found!.rows()].map(({ cells }) => cells)).toEqual([
      ['Item', 'Price'],
      ['Nails', '3'],
      ['Screws | bolts', '4'],
    ]);
  });

  it('have no header where the first row is blank', () => {
    const [found] = tablesOf([table('|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |')]);
    expect(found).not.toHaveProperty('headerRows');
    expect([...found!.rows()]).toHaveLength(2);
  });

  it.each([
    ['one row', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['one column', '| a |\n| --- |\n| 1 |\n| 2 |'],
  ])('of %s stay text', (_, text) => expect(tablesOf([table(text)])).toEqual([]));

  it('of more columns than are taken stay text', () => {
    expect(tablesOf([PRICES], 'docx', { ...TABLE_LIMITS, maxColumns: 2 })).toHaveLength(1);
    expect(tablesOf([PRICES], 'docx', { ...TABLE_LIMITS, maxColumns: 1 })).toEqual([]);
  });

  it('are named by a caption right above, or else by the heading that they stand under', () => {
    const heading: DocumentBlock = { kind: 'heading', text: 'Stock', level: 1 };
    const paragraph = (text: string): DocumentBlock => ({ kind: 'paragraph', text });
    const titles = (...blocks: DocumentBlock[]) => tablesOf(blocks).map(({ title }) => title);
    expect(titles(heading, paragraph('Table 3. Prices'), PRICES)).toEqual(['Table 3. Prices']);
    expect(titles(heading, paragraph('As follows:'), PRICES)).toEqual(['As follows:']);
    expect(titles(heading, paragraph('Some words.'), PRICES)).toEqual(['Stock']);
    expect(titles(heading, paragraph('Table 3'), paragraph('Some words.'), PRICES)).toEqual(['Stock']);
  });

  it('of a PDF say that they were told from where the texts stand, and their page', () => {
    expect(tablesOf([{ ...PRICES, page: 2 }], 'pdf')[0]).toMatchObject({
      source: { format: 'pdf', page: 2 },
      warnings: ['drawn in a PDF: columns and rows were told from where the texts stand'],
    });
  });
});
