/** `disk_full` of PostgreSQL. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** The index, the engine of tables and PostgreSQL's own tools tell it in the words of the system only. */
const FULL_WORDS = /No space left on device|Check free disk space|Disk quota exceeded/i;

/** Whether something failed because there is no room left to write to. */
export function isStorageFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as Partial<NodeJS.ErrnoException>;
  return FULL_CODES.has(code ?? '') || FULL_WORDS.test(message ?? '') || isStorageFull(cause);
}
