/**
 * Makes the workbooks in `test/fixtures/workbooks`: each is written as a flat OpenDocument, turned by LibreOffice into
 * the format under test, and read back by LibreOffice for the cells that a test compares with. Needs `soffice`; run it
 * only to change the workbooks, as `node dist/scripts/make-workbooks.js`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flatCells } from './workbooks/flat-cells';
import { flatDocument } from './workbooks/flat-document';
import { WORKBOOKS } from './workbooks/workbooks';

const TARGET = join('test', 'fixtures', 'workbooks');

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));
  mkdirSync(TARGET, { recursive: true });
  try {
    for (const { name, format, ...book } of WORKBOOKS) {
      const source = join(folder, `${name}.fods`);
      writeFileSync(source, flatDocument(book));
      convert(source, format, TARGET);
      const readBack = join(folder, 'back');
      convert(join(TARGET, `${name}.${format}`), 'fods', readBack);
      const cells = flatCells(readFileSync(join(readBack, `${name}.fods`), 'utf8'));
      writeFileSync(join(TARGET, `${name}.${format}.cells.json`), `${JSON.stringify(cells)}\n`);
      console.log(`${name}.${format}: ${cells.map(({ sheet, rows }) => `${sheet} ${rows.length}`).join(', ')}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function convert(file: string, format: string, folder: string): void {
  execFileSync('soffice', ['--headless', '--convert-to', format, '--outdir', folder, file], { stdio: 'ignore' });
}

main();
