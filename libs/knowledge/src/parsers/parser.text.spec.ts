import { textParser } from './parser.text';
import { UnsupportedFileError } from './parser-errors';

const read = async (text: string, name = 'a.txt') =>
  (await textParser.parse({ name, bytes: Buffer.from(text) }, { maxPages: 1 })).blocks;

describe('plain text becomes blocks', () => {
  it('with wrapped lines joined, and paragraphs parted at blank lines', async () => {
    const blocks = await read(
      'The pump has to be serviced every six months by somebody who is\r\ncertified. The log is signed afterwards, and a copy is sent to the\r\noffice.\r\n\r\nSecond paragraph.',
    );
    expect(blocks).toEqual([
      {
        kind: 'paragraph',
        text: 'The pump has to be serviced every six months by somebody who is certified. The log is signed afterwards, and a copy is sent to the office.',
      },
      { kind: 'paragraph', text: 'Second paragraph.' },
    ]);
  });

  it('with the headings of manuals: underlined, numbered, in capitals, chapters', async () => {
    const blocks = await read(
      'User Guide\n==========\n\nInstallation\n------------\nFirst line.\n\n2.3. Starting the pump\n\nText.\n\nCAPÍTULO 4 SEGURIDAD\n\nMás.\n\nSAFETY RULES\n\nEnd.\n\n3. Turn the valve to the left.',
    );
    expect(blocks.map(({ kind, level, text }) => `${kind} ${level ?? ''} ${text}`)).toEqual([
      'heading 1 User Guide',
      'heading 2 Installation',
      'paragraph  First line.',
      'heading 2 2.3. Starting the pump',
      'paragraph  Text.',
      'heading 1 CAPÍTULO 4 SEGURIDAD',
      'paragraph  Más.',
      'heading 2 SAFETY RULES',
      'paragraph  End.',
      'list  3. Turn the valve to the left.',
    ]);
  });

  it('with drawn tables as Markdown, wrapped cells joined', async () => {
    const blocks = await read(
      '+-------------------------+\n| name |      use         |\n|------+------------------|\n| tar  | keeps many files |\n|      | together         |\n|------+------------------|\n| a|b  | pipe             |\n+-------------------------+',
    );
    expect(blocks).toEqual([
      { kind: 'table', text: '| name | use |\n| --- | --- |\n| tar | keeps many files together |\n| a\\|b | pipe |' },
    ]);
  });

  it('with lists, and lines that mean something as lines kept', async () => {
    const blocks = await read('* one item that is\n  wrapped\n* two\n\n$ ls\nfoo    bar\nbaz    qux\n');
    expect(blocks).toEqual([
      { kind: 'list', text: '- one item that is wrapped\n- two' },
      { kind: 'code', text: '$ ls\nfoo    bar\nbaz    qux' },
    ]);
  });

  it('without the table of contents, which only says the headings twice', async () => {
    const blocks = await read(
      'Table of Contents\n\n1. Pumps\n    1.1. Valves\n    1.2. Seals\n2. Motors\n\n1. Pumps\n\nText about pumps.',
    );
    expect(blocks.map(({ text }) => text)).toEqual(['1. Pumps', 'Text about pumps.']);
  });

  it('line by line where the name says records', async () => {
    expect(await read('id,name\n1,Ana\n2,José\n', 'people.log')).toEqual([
      { kind: 'code', text: 'id,name\n1,Ana\n2,José' },
    ]);
  });

  it.each(['', ' \n\t\n', '\ufeff'])('or is refused when it is empty: %j', async (text) => {
    await expect(read(text)).rejects.toThrow(UnsupportedFileError);
  });
});
