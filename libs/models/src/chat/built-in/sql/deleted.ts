/** Columns that say that a row is no more: neither applied nor passed over without a word. */
import type { Reading } from './reading';
import type { Source } from './scope';

const GONE = /^(?:deleted|archived|removed|voided|borrado|eliminado|archivado|inactive|disabled)$/;

export function noteDeleted(reading: Reading, sources: readonly Source[]): void {
  for (const source of sources) {
    for (const column of source.columns) {
      const isMark =
        (column.kind === 'date' || column.kind === 'boolean') &&
        column.names.some(([first, more]) => more === undefined && GONE.test(first!));
      if (isMark && !reading.asked.has(column)) reading.note({ t: 'deleted', column });
    }
  }
}
