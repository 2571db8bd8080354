import { findDialect, isDelimited } from './delimited-dialect';

describe('the dialect of a delimited text', () => {
  it.each([
    ['commas', 'a,b\n1,2\n3,4\n', 'x.csv', ','],
    ['semicolons beside decimal commas', 'a;b\n1,5;2,5\n3,5;4,5\n', 'x.csv', ';'],
    ['tabs beside commas in texts', 'a\tb\nx, y\tz\nv, w\tu\n', 'x.csv', '\t'],
    ['bars', 'a|b\n1|2\n', 'x.csv', '|'],
    ['the sign that its first line says', 'sep=^\na^b;c\n1^2;3\n', 'x.csv', '^'],
    ['the sign of its name where two would do', 'a,b\tc,d\n1,2\t3,4\n', 'x.tsv', '\t'],
    ['bars by its name', 'a,b|c,d\n1,2|3,4\n', 'x.psv', '|'],
    ['commas where there is nothing to tell by', 'a\n1\n', 'x.csv', ','],
    ['tabs by its name where there is nothing to tell by', 'a\n1\n', 'x.tab', '\t'],
  ])('has as its delimiter %s', (_, head, name, delimiter) =>
    expect(findDialect(head, name).delimiter).toBe(delimiter),
  );

  it('leaves out the line that only says it', () => {
    expect(findDialect('sep=;\na;b\n', 'x.csv').skip).toBe(1);
    expect(findDialect('a;b\n', 'x.csv').skip).toBe(0);
  });

  it('quotes by apostrophes only where they stand at both ends of values in half of the lines, and nothing else quotes', () => {
    const quoted = "'a','b'\n'x','y'\n'z','w'\n";
    expect(findDialect(quoted, 'x.csv').quote).toBe("'");
    expect(findDialect(`${quoted}"v",'u'\n`, 'x.csv').quote).toBe('"');
    expect(findDialect(`name,note\n${"it's,so\n".repeat(9)}x,'y'\nx,'z'\n`, 'x.csv').quote).toBe('"');
  });

  it('escapes by a backslash only where quotation marks are not doubled', () => {
    expect(findDialect('a,b\n"x \\" y",z\n', 'x.csv').backslash).toBe(true);
    expect(findDialect('a,b\n"x \\" y","z "" w"\n', 'x.csv').backslash).toBe(false);
    expect(findDialect('a,b\n"x",C:\\temp\n', 'x.csv').backslash).toBe(false);
  });
});

describe('a name', () => {
  it('says that a file is a delimited text', () => {
    expect(['x.csv', 'x.TSV', 'x.psv', 'x.tab'].every(isDelimited)).toBe(true);
    expect(['x.txt', 'csv', 'x.csv.gz'].some(isDelimited)).toBe(false);
  });
});
