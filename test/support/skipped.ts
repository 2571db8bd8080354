/**
 * Says why tests are left out. Not by `console`: of a file of which every test is left out the runner shows nothing.
 *
 * @param what the tests, and the reason: `questions over MariaDB: mariadbd is not installed`.
 */
export function tellSkipped(what: string): void {
  process.stderr.write(`Skipped: ${what}\n`);
}
