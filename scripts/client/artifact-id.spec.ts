import { artifactIdSchema } from '@app/contract';
import { artifactIdOf } from './artifact-id';

describe('The artifact id of a file', () => {
  it('is its path with -- for each folder, where the API allows the rest', () => {
    expect(artifactIdOf('contratos/año 2024/Suministro_v1.2.docx')).toBe('contratos--año 2024--Suministro_v1.2.docx');
  });

  it.each([
    'a&b.txt',
    'precio (final).pdf',
    ' leading space.md',
    "it's.txt",
    'emoji 🎉.txt',
    'new\nline.txt',
    `${'long/'.repeat(80)}file.txt`,
    `${'長'.repeat(254)}𠮷𠮷.txt`,
    '%2e%2e/%00',
  ])('is allowed by the API for %j', (path) => {
    expect(artifactIdSchema.safeParse(artifactIdOf(path)).error).toBeUndefined();
  });

  it('differs for paths that differ only in what an id may not hold', () => {
    const paths = ['a&b.txt', 'a_b.txt', 'a+b.txt', 'a(b.txt', `${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`];
    expect(new Set(paths.map(artifactIdOf)).size).toBe(paths.length);
  });

  it('is the same for a name in either Unicode form', () => {
    expect(artifactIdOf('an\u0303o.txt')).toBe(artifactIdOf('a\u00f1o.txt'));
  });
});
