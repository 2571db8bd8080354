/**
 * The tables under test/fixtures/tables: as rows for answers that a test computes itself, and as stored tables.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredTable } from '../../libs/knowledge/src/tables/table-store';
import type { ParquetTables } from './parquet-tables';
import { storedTable } from './table-reports';

const FOLDER = join(__dirname, '../fixtures/tables');

export type FixtureRow = Readonly<Record<string, string>>;

/** The lines of a file as they are: every cell a text. No cell of these files is quoted. */
export function fixtureRows(name: string): FixtureRow[] {
  const [head, ...lines] = readFileSync(join(FOLDER, `${name}.csv`), 'utf8')
    .trimEnd()
    .split('\n');
  const separator = head!.includes(';') ? ';' : ',';
  const columns = head!.split(separator);
  return lines.map((line) => {
    const cells = line.split(separator);
    return Object.fromEntries(columns.map((column, i) => [column, cells[i]!]));
  });
}

interface Reading {
  readonly options?: string;
  readonly select: Readonly<Record<string, string>>;
  readonly originals: Readonly<Record<string, string>>;
  readonly columns?: Parameters<typeof storedTable>[1]['columns'];
}

const day = (column: string) => `strptime("${column}", '%d/%m/%Y')::DATE`;
const decimal = (column: string) => `replace("${column}", ',', '.')::DECIMAL(12, 2)`;

const READINGS: Readonly<Record<string, Reading>> = {
  orders: {
    select: {
      order_id: '"Order ID"',
      order_date: '"Order Date"::DATE',
      customer: '"Customer"',
      country: '"Country"',
      product: '"Product"',
      category: '"Category"',
      status: '"Status"',
      units: '"Units"::BIGINT',
      unit_price: '"Unit Price"::DECIMAL(12, 2)',
      amount: '"Amount"::DECIMAL(12, 2)',
      discount: '"Discount"::DECIMAL(12, 2)',
      channel: '"Channel"',
    },
    originals: {
      order_id: 'Order ID',
      order_date: 'Order Date',
      unit_price: 'Unit Price',
    },
  },
  employees: {
    select: {
      employee_id: '"Employee ID"::BIGINT',
      name: '"Name"',
      department: '"Department"',
      office: '"Office"',
      salary: '"Salary"::BIGINT',
      hire_date: '"Hire Date"::DATE',
      remote: '"Remote"::BOOLEAN',
      age: '"Age"::BIGINT',
      contract: '"Contract"',
    },
    originals: { employee_id: 'Employee ID', hire_date: 'Hire Date' },
    columns: { employee_id: { identifier: true } },
  },
  ventas: {
    options: ", delim = ';'",
    select: {
      factura: '"Factura"',
      fecha: day('Fecha'),
      region: '"Región"',
      vendedor: '"Vendedor"',
      producto: '"Producto"',
      categoria: '"Categoría"',
      unidades: '"Unidades"::BIGINT',
      precio_unitario: decimal('Precio unitario'),
      importe: decimal('Importe (€)'),
      canal: '"Canal"',
      estado: '"Estado"',
      nota: '"Nota"',
    },
    originals: {
      region: 'Región',
      categoria: 'Categoría',
      precio_unitario: 'Precio unitario',
      importe: 'Importe (€)',
    },
    columns: { importe: { unit: '€' } },
  },
  inventario: {
    options: ", delim = ';'",
    select: {
      codigo: '"Código"',
      articulo: '"Artículo"',
      familia: '"Familia"',
      almacen: '"Almacén"',
      existencias: '"Existencias"::BIGINT',
      precio: decimal('Precio'),
      proveedor: '"Proveedor"',
      activo: `"Activo" = 'sí'`,
    },
    originals: { codigo: 'Código', articulo: 'Artículo', almacen: 'Almacén' },
  },
};

export function storedFixtures(files: ParquetTables): Promise<StoredTable[]> {
  const stored = Object.entries(READINGS).map(async ([name, { options = '', select, originals, columns }]) => {
    const source = join(FOLDER, `${name}.csv`);
    const list = Object.entries(select).map(([column, sql]) => `${sql} AS ${column}`);
    const file = await files.write(
      name,
      `SELECT ${list.join(', ')} FROM read_csv('${source}', header = true, all_varchar = true${options})`,
    );
    const named = Object.fromEntries(
      Object.keys(select).map((column) => [column, originals[column] ?? column[0]!.toUpperCase() + column.slice(1)]),
    );
    return storedTable(file, { name, fileName: `${name}.csv`, originals: named, ...(columns && { columns }) });
  });
  return Promise.all(stored);
}
