/** Columns that say that a row is no more: neither applied nor passed over without a word. */
import type { Reading } from './reading';
import type { Source } from './scope';

const GONE = /^(?:deleted|archived|removed|voided|borrado|eliminado|archivado|inactive|disabled)$/;
/** When somebody left. */
const LEFT = /^(?:termination|terminated|dismissal|resignation|(?:fecha )?baja)(?: date| at| on)?$/;

export function noteDeleted(reading: Reading, sources: readonly Source[]): void {
  for (const source of sources) {
    for (const column of source.columns) {
      const isMark =
        (column.kind === 'date' || column.kind === 'boolean') &&
        column.names.some(([first, more]) => more === undefined && GONE.test(first!));
      const isLeft =
        source === reading.scope.root &&
        column.kind === 'date' &&
        column.names.some((name) => LEFT.test(name.join(' ')));
      if ((isMark || isLeft) && !reading.asked.has(column)) reading.note({ t: 'deleted', column });
    }
  }
}
