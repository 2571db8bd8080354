/** Two real books in two languages, as Debian packages them: laid out in folders for ingestion. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const REFERENCE = '/usr/share/debian-reference';
const HANDBOOK = '/usr/share/doc/debian-handbook/html';

interface Edition {
  /** The folder's name in the corpus, by which a question names its file. */
  readonly name: string;
  readonly from: string;
  readonly files: RegExp;
}

const EDITIONS: readonly Edition[] = [
  { name: 'debian-reference-en', from: REFERENCE, files: /\.en\.html$/ },
  { name: 'debian-reference-es', from: REFERENCE, files: /\.es\.html$/ },
  { name: 'debian-handbook-en-US', from: `${HANDBOOK}/en-US`, files: /\.html$/ },
  { name: 'debian-handbook-es-ES', from: `${HANDBOOK}/es-ES`, files: /\.html$/ },
];

/** The same books in the other formats that the packages have. */
const OTHER_FORMATS = ['debian-reference.en', 'debian-reference.es'];

export class BooksNotInstalledError extends Error {
  constructor(missing: string) {
    super(
      `${missing} is not there. Install the Debian packages that the benchmark reads: ` +
        'apt-get install -y --no-install-recommends debian-reference-en debian-reference-es debian-handbook',
    );
  }
}

/**
 * Lays the HTML editions of both books and languages under `folder/html`, and the text and PDF editions of the one
 * that has them under `folder/other`.
 *
 * @throws BooksNotInstalledError
 */
export async function layOutBooks(folder: string): Promise<{ html: string; other: string }> {
  const html = join(folder, 'html');
  const other = join(folder, 'other');
  for (const { name, from, files } of EDITIONS) {
    const names = (await readdir(from).catch(() => [])).filter((file) => files.test(file));
    if (names.length === 0) throw new BooksNotInstalledError(`${from} (${name})`);
    await mkdir(join(html, name), { recursive: true });
    for (const file of names) await copyFile(join(from, file), join(html, name, file));
  }
  await mkdir(other, { recursive: true });
  for (const name of OTHER_FORMATS) {
    await copyFile(join(REFERENCE, `${name}.pdf`), join(other, `${name}.pdf`)).catch(missing);
    const packed = await readFile(join(REFERENCE, `${name}.txt.gz`)).catch(missing);
    await writeFile(join(other, `${name}.txt`), await promisify(gunzip)(packed));
  }
  return { html, other };
}

function missing(error: NodeJS.ErrnoException): never {
  throw new BooksNotInstalledError(error.path ?? error.message);
}
