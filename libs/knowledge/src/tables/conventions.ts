import type { ColumnEvidence } from './column-evidence';
import type { Conventions } from './column-plan';
import { provenDecimal } from './decide-numbers';
import { provenDayFirst } from './decide-moments';
import type { TableInput } from './table-input';

/** What columns that leave no doubt tell about the others. */
export function conventionsOf(
  columns: readonly ColumnEvidence[],
  names: readonly string[],
  input: TableInput,
): Conventions {
  for (const column of columns) column.settle();
  const typedOnly = columns.filter(({ filled, texts }) => filled > 0 && texts.count === 0);
  const decimals = new Set(typedOnly.map(provenDecimal).filter((sign) => sign !== undefined));
  const orders = new Set(typedOnly.map(provenDayFirst).filter((order) => order !== undefined));
  const [decimal] = decimals;
  const [dayFirst] = orders;
  const words = names.join(' ').toLowerCase();
  const isForeign =
    /[áéíóúñäöüßçãõàèìòùêô]|\b(?:fecha|nombre|importe|cantidad|precio|datum|betrag|menge|prix|montant|quantité|preço|data|prezzo)\b/.test(
      words,
    );
  return {
    ...(decimals.size === 1 && { decimal }),
    ...(orders.size === 1 && { dayFirst }),
    ...(input.semicolons && { semicolons: true }),
    notAmerican: isForeign || !!input.semicolons || decimal === ',',
  };
}
