import { artifactIdSchema } from '@app/contract';
import { artifactIdOf, fileNameOf } from './artifact-id';

describe('The artifact id of a file', () => {
  it('is its path with -- for each folder, where the API allows the rest', () => {
    expect(artifactIdOf('contratos/año 2024/Suministro_v1.2.docx')).toBe('contratos--año 2024--Suministro_v1.2.docx');
  });

  it.each([
    ['signs', 'a&b.txt'],
    ['brackets', 'precio (final).pdf'],
    ['a space in front', ' leading space.md'],
    ['a quote', "it's.txt"],
    ['an emoji', 'emoji 🎉.txt'],
    ['a line break', 'new\nline.txt'],
    ['many folders', `${'long/'.repeat(80)}file.txt`],
    ['a long name with surrogate pairs at the cut', `${'長'.repeat(241)}${'𠮷'.repeat(20)}.txt`],
    ['percent signs and dots', '%2e%2e/%00'],
  ])('is allowed by the API for a path with %s', (_, path) => {
    expect(artifactIdSchema.safeParse(artifactIdOf(path)).error).toBeUndefined();
    expect(artifactIdOf(path).isWellFormed()).toBe(true);
  });

  it('differs for paths that differ only in what an id may not hold', () => {
    const paths = ['a&b.txt', 'a_b.txt', 'a+b.txt', 'a(b.txt', `${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`];
    expect(new Set(paths.map(artifactIdOf)).size).toBe(paths.length);
  });

  it('is the same for a name in either Unicode form', () => {
    expect(artifactIdOf('an\u0303o.txt')).toBe(artifactIdOf('a\u00f1o.txt'));
  });
});

describe('The file name that is sent', () => {
  it.each([
    ['brackets', 'a/b/Informe (final).PDF', 'Informe _final_.PDF'],
    ['no extension', 'a/notes', 'notes'],
    ['accents', 'año.txt', 'año.txt'],
    ['too many characters', `${'x'.repeat(250)}.docx`, `${'x'.repeat(195)}.docx`],
  ])('keeps its extension and is what the API takes, with %s', (_, path, name) => {
    expect(fileNameOf(path)).toBe(name);
  });
});
