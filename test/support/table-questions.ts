/**
 * Questions over the tables under test/fixtures/tables, in English and Spanish. Each has the right answer, computed here
 * from the lines of the file, and SQL that a person wrote for it.
 */
import { fixtureRows, type FixtureRow } from './table-fixtures';

export type Cell = string | number | boolean;

export interface TableQuestion {
  readonly question: string;
  readonly sql: string;
  /** The rows of the right answer, in any order; other columns may stand beside them. */
  readonly answer: () => readonly (readonly Cell[])[];
}

const cached = new Map<string, FixtureRow[]>();
const rows = (name: string): FixtureRow[] => {
  if (!cached.has(name)) cached.set(name, fixtureRows(name));
  return cached.get(name)!;
};
export const orders = () => rows('orders');
export const employees = () => rows('employees');
export const ventas = () => rows('ventas');
export const inventario = () => rows('inventario');

/** A number as the file writes it, with a point or a comma. */
export const n = (text: string | undefined): number => Number((text ?? '').replace(',', '.'));
export const total = (some: readonly FixtureRow[], column: string): number =>
  Math.round(some.reduce((sum, row) => sum + n(row[column]), 0) * 100) / 100;
export const mean = (some: readonly FixtureRow[], column: string): number =>
  some.reduce((sum, row) => sum + n(row[column]), 0) / some.length;
export const groups = (some: readonly FixtureRow[], key: (row: FixtureRow) => string): [string, FixtureRow[]][] => {
  const found = new Map<string, FixtureRow[]>();
  for (const row of some) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return [...found];
};
export const by = (some: readonly FixtureRow[], column: string) => groups(some, (row) => row[column]!);
/** The first of a list by a number, with those that equal the last of them. */
export function best<T>(some: readonly T[], value: (one: T) => number, count: number, most = true): T[] {
  const sorted = [...some].sort((a, b) => (most ? value(b) - value(a) : value(a) - value(b)));
  const last = sorted[Math.min(count, sorted.length) - 1]!;
  return sorted.filter((one) => (most ? value(one) >= value(last) : value(one) <= value(last)));
}
/** `YYYY-MM-DD` of a day as the Spanish file writes it. */
export const day = (text: string | undefined): string => (text ?? '').split('/').reverse().join('-');
const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
const numbers = (some: readonly FixtureRow[], column: string) => some.map((row) => n(row[column]));

export const QUESTIONS: readonly TableQuestion[] = [
  // --- English ---
  {
    question: 'How many orders are there?',
    sql: 'SELECT count(*) FROM orders',
    answer: () => [[orders().length]],
  },
  {
    question: 'How many orders were cancelled?',
    sql: "SELECT count(*) FROM orders WHERE status = 'Cancelled'",
    answer: () => [[orders().filter((row) => row.Status === 'Cancelled').length]],
  },
  {
    question: 'What is the total amount of all orders?',
    sql: 'SELECT sum(amount) FROM orders',
    answer: () => [[total(orders(), 'Amount')]],
  },
  {
    question: 'What is the total amount by country?',
    sql: 'SELECT country, sum(amount) FROM orders GROUP BY 1',
    answer: () => by(orders(), 'Country').map(([key, some]) => [key, total(some, 'Amount')]),
  },
  {
    question: 'Average salary per department',
    sql: 'SELECT department, avg(salary) FROM employees GROUP BY 1',
    answer: () => by(employees(), 'Department').map(([key, some]) => [key, mean(some, 'Salary')]),
  },
  {
    question: 'Which employee has the highest salary?',
    sql: 'SELECT name, salary FROM employees WHERE salary = (SELECT max(salary) FROM employees)',
    answer: () => best(employees(), (row) => n(row.Salary), 1).map((row) => [row.Name!, n(row.Salary)]),
  },
  {
    question: 'Who are the 5 employees with the lowest salary?',
    sql: 'SELECT name, salary FROM employees QUALIFY rank() OVER (ORDER BY salary) <= 5',
    answer: () => best(employees(), (row) => n(row.Salary), 5, false).map((row) => [row.Name!, n(row.Salary)]),
  },
  {
    question: 'Top 3 customers by total amount',
    sql: 'SELECT customer, sum(amount) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 3',
    answer: () =>
      best(
        by(orders(), 'Customer').map(([key, some]) => [key, total(some, 'Amount')] as const),
        ([, sum]) => sum,
        3,
      ),
  },
  {
    question: 'How many units of Laptop were sold in 2024?',
    sql: "SELECT sum(units) FROM orders WHERE product = 'Laptop' AND year(order_date) = 2024",
    answer: () => [
      [
        total(
          orders().filter((row) => row.Product === 'Laptop' && row['Order Date']!.startsWith('2024')),
          'Units',
        ),
      ],
    ],
  },
  {
    question: 'How many orders did we have in March 2024?',
    sql: "SELECT count(*) FROM orders WHERE strftime(order_date, '%Y-%m') = '2024-03'",
    answer: () => [[orders().filter((row) => row['Order Date']!.startsWith('2024-03')).length]],
  },
  {
    question: 'Total amount per month in 2023',
    sql: "SELECT strftime(order_date, '%Y-%m'), sum(amount) FROM orders WHERE year(order_date) = 2023 GROUP BY 1",
    answer: () =>
      groups(
        orders().filter((row) => row['Order Date']!.startsWith('2023')),
        (row) => row['Order Date']!.slice(0, 7),
      ).map(([key, some]) => [key, total(some, 'Amount')]),
  },
  {
    question: 'How many employees work in Berlin or Paris?',
    sql: "SELECT count(*) FROM employees WHERE office IN ('Berlin', 'Paris')",
    answer: () => [[employees().filter(({ Office }) => Office === 'Berlin' || Office === 'Paris').length]],
  },
  {
    question: 'How many employees were hired after 2020?',
    sql: "SELECT count(*) FROM employees WHERE hire_date >= DATE '2021-01-01'",
    answer: () => [[employees().filter((row) => row['Hire Date']! > '2020-12-31').length]],
  },
  {
    question: 'What is the average age of remote employees?',
    sql: 'SELECT avg(age) FROM employees WHERE remote',
    answer: () => [
      [
        mean(
          employees().filter(({ Remote }) => Remote === 'true'),
          'Age',
        ),
      ],
    ],
  },
  {
    question: 'How many different products are there in the category Electronics?',
    sql: "SELECT count(DISTINCT product) FROM orders WHERE category = 'Electronics'",
    answer: () => [
      [
        new Set(
          orders()
            .filter(({ Category }) => Category === 'Electronics')
            .map(({ Product }) => Product),
        ).size,
      ],
    ],
  },
  {
    question: 'Which countries are in the orders?',
    sql: 'SELECT DISTINCT country FROM orders',
    answer: () => by(orders(), 'Country').map(([key]) => [key]),
  },
  {
    question: 'List the employees older than 60',
    sql: 'SELECT name FROM employees WHERE age > 60',
    answer: () =>
      employees()
        .filter((row) => n(row.Age) > 60)
        .map((row) => [row.Name!]),
  },
  {
    question: 'How many employees have an age between 30 and 40?',
    sql: 'SELECT count(*) FROM employees WHERE age BETWEEN 30 AND 40',
    answer: () => [[employees().filter((row) => n(row.Age) >= 30 && n(row.Age) <= 40).length]],
  },
  {
    question: 'What is the maximum unit price?',
    sql: 'SELECT max(unit_price) FROM orders',
    answer: () => [[Math.max(...numbers(orders(), 'Unit Price'))]],
  },
  {
    question: 'What are the minimum and maximum salary in Engineering?',
    sql: "SELECT min(salary), max(salary) FROM employees WHERE department = 'Engineering'",
    answer: () => {
      const some = numbers(
        employees().filter(({ Department }) => Department === 'Engineering'),
        'Salary',
      );
      return [[Math.min(...some), Math.max(...some)]];
    },
  },
  {
    question: 'Which category sold the most units?',
    sql: 'SELECT category, sum(units) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    answer: () =>
      best(
        by(orders(), 'Category').map(([key, some]) => [key, total(some, 'Units')] as const),
        ([, sum]) => sum,
        1,
      ),
  },
  {
    question: 'Which customer has the most orders?',
    sql: 'SELECT customer, count(*) FROM orders GROUP BY 1 QUALIFY rank() OVER (ORDER BY count(*) DESC) = 1',
    answer: () =>
      best(
        by(orders(), 'Customer').map(([key, some]) => [key, some.length] as const),
        ([, count]) => count,
        1,
      ),
  },
  {
    question: 'What is the median salary of full-time employees?',
    sql: "SELECT median(salary) FROM employees WHERE contract = 'Full-time'",
    answer: () => [
      [
        median(
          numbers(
            employees().filter(({ Contract }) => Contract === 'Full-time'),
            'Salary',
          ),
        ),
      ],
    ],
  },
  {
    question: 'How many orders do not have the status Shipped?',
    sql: "SELECT count(*) FROM orders WHERE status <> 'Shipped'",
    answer: () => [[orders().filter(({ Status }) => Status !== 'Shipped').length]],
  },
  {
    question: 'How many orders have an amount over 1,000?',
    sql: 'SELECT count(*) FROM orders WHERE amount > 1000',
    answer: () => [[orders().filter((row) => n(row.Amount) > 1000).length]],
  },
  {
    question: 'How many orders are without discount?',
    sql: 'SELECT count(*) FROM orders WHERE discount IS NULL',
    answer: () => [[orders().filter(({ Discount }) => Discount === '').length]],
  },
  {
    question: 'Number of orders by status and channel',
    sql: 'SELECT status, channel, count(*) FROM orders GROUP BY ALL',
    answer: () =>
      groups(orders(), ({ Status, Channel }) => `${Status}|${Channel}`).map(([key, some]) => [
        ...key.split('|'),
        some.length,
      ]),
  },
  {
    question: 'Total units for each quarter of 2024',
    sql: "SELECT '2024-Q' || quarter(order_date), sum(units) FROM orders WHERE year(order_date) = 2024 GROUP BY 1",
    answer: () =>
      groups(
        orders().filter((row) => row['Order Date']!.startsWith('2024')),
        (row) => `2024-Q${Math.ceil(Number(row['Order Date']!.slice(5, 7)) / 3)}`,
      ).map(([key, some]) => [key, total(some, 'Units')]),
  },
  {
    question: 'What percentage of orders were returned?',
    sql: "SELECT 100.0 * count(*) FILTER (WHERE status = 'Returned') / count(*) FROM orders",
    answer: () => [[(100 * orders().filter(({ Status }) => Status === 'Returned').length) / orders().length]],
  },
  {
    question: 'By how much did the amount grow from 2023 to 2024?',
    sql: 'SELECT sum(amount) FILTER (WHERE year(order_date) = 2024) - sum(amount) FILTER (WHERE year(order_date) = 2023) FROM orders',
    answer: () => {
      const of = (year: string) =>
        total(
          orders().filter((row) => row['Order Date']!.startsWith(year)),
          'Amount',
        );
      return [[of('2024') - of('2023')]];
    },
  },
  // --- Spanish ---
  {
    question: '¿Cuántas ventas hay?',
    sql: 'SELECT count(*) FROM ventas',
    answer: () => [[ventas().length]],
  },
  {
    question: '¿Cuál es el importe total de las ventas?',
    sql: 'SELECT sum(importe) FROM ventas',
    answer: () => [[total(ventas(), 'Importe (€)')]],
  },
  {
    question: '¿Cuánto vendimos por región?',
    sql: 'SELECT region, sum(importe) FROM ventas GROUP BY 1',
    answer: () => by(ventas(), 'Región').map(([key, some]) => [key, total(some, 'Importe (€)')]),
  },
  {
    question: '¿Cuántas unidades de botas se vendieron en 2023?',
    sql: "SELECT sum(unidades) FROM ventas WHERE producto = 'Botas' AND year(fecha) = 2023",
    answer: () => [
      [
        total(
          ventas().filter(({ Producto, Fecha }) => Producto === 'Botas' && Fecha!.endsWith('2023')),
          'Unidades',
        ),
      ],
    ],
  },
  {
    question: '¿Cuál es el precio medio de los artículos de Ferretería?',
    sql: "SELECT avg(precio) FROM inventario WHERE familia = 'Ferretería'",
    answer: () => [
      [
        mean(
          inventario().filter(({ Familia }) => Familia === 'Ferretería'),
          'Precio',
        ),
      ],
    ],
  },
  {
    question: '¿Qué vendedor tiene el mayor importe total?',
    sql: 'SELECT vendedor, sum(importe) FROM ventas GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    answer: () =>
      best(
        by(ventas(), 'Vendedor').map(([key, some]) => [key, total(some, 'Importe (€)')] as const),
        ([, sum]) => sum,
        1,
      ),
  },
  {
    question: 'Los 3 productos con más unidades',
    sql: 'SELECT producto, sum(unidades) FROM ventas GROUP BY 1 ORDER BY 2 DESC LIMIT 3',
    answer: () =>
      best(
        by(ventas(), 'Producto').map(([key, some]) => [key, total(some, 'Unidades')] as const),
        ([, sum]) => sum,
        3,
      ),
  },
  {
    question: 'Importe total por mes en 2024',
    sql: "SELECT strftime(fecha, '%Y-%m'), sum(importe) FROM ventas WHERE year(fecha) = 2024 GROUP BY 1",
    answer: () =>
      groups(
        ventas().filter(({ Fecha }) => Fecha!.endsWith('2024')),
        ({ Fecha }) => day(Fecha).slice(0, 7),
      ).map(([key, some]) => [key, total(some, 'Importe (€)')]),
  },
  {
    question: '¿Cuántas ventas anuladas hubo?',
    sql: "SELECT count(*) FROM ventas WHERE estado = 'Anulado'",
    answer: () => [[ventas().filter(({ Estado }) => Estado === 'Anulado').length]],
  },
  {
    question: '¿Cuántas ventas hizo Íñigo Peña en la región Norte?',
    sql: "SELECT count(*) FROM ventas WHERE vendedor = 'Íñigo Peña' AND region = 'Norte'",
    answer: () => [[ventas().filter((row) => row.Vendedor === 'Íñigo Peña' && row['Región'] === 'Norte').length]],
  },
  {
    question: '¿Cuántos productos distintos hay en la categoría Ropa?',
    sql: "SELECT count(DISTINCT producto) FROM ventas WHERE categoria = 'Ropa'",
    answer: () => [
      [
        new Set(
          ventas()
            .filter((row) => row['Categoría'] === 'Ropa')
            .map(({ Producto }) => Producto),
        ).size,
      ],
    ],
  },
  {
    question: 'Unidades vendidas por categoría y canal',
    sql: 'SELECT categoria, canal, sum(unidades) FROM ventas GROUP BY ALL',
    answer: () =>
      groups(ventas(), (row) => `${row['Categoría']}|${row.Canal}`).map(([key, some]) => [
        ...key.split('|'),
        total(some, 'Unidades'),
      ]),
  },
  {
    question: '¿Cuál fue el importe total entre el 1 de marzo de 2024 y el 30 de junio de 2024?',
    sql: "SELECT sum(importe) FROM ventas WHERE fecha BETWEEN DATE '2024-03-01' AND DATE '2024-06-30'",
    answer: () => [
      [
        total(
          ventas().filter(({ Fecha }) => day(Fecha) >= '2024-03-01' && day(Fecha) <= '2024-06-30'),
          'Importe (€)',
        ),
      ],
    ],
  },
  {
    question: '¿Cuántas ventas hubo en el primer trimestre de 2024?',
    sql: "SELECT count(*) FROM ventas WHERE fecha >= DATE '2024-01-01' AND fecha < DATE '2024-04-01'",
    answer: () => [[ventas().filter(({ Fecha }) => day(Fecha) >= '2024-01-01' && day(Fecha) < '2024-04-01').length]],
  },
  {
    question: '¿Cuántas ventas superan los 500 euros de importe?',
    sql: 'SELECT count(*) FROM ventas WHERE importe > 500',
    answer: () => [[ventas().filter((row) => n(row['Importe (€)']) > 500).length]],
  },
  {
    question: '¿Qué artículos tienen menos de 50 existencias?',
    sql: 'SELECT articulo FROM inventario WHERE existencias < 50',
    answer: () =>
      inventario()
        .filter((row) => n(row.Existencias) < 50)
        .map((row) => [row['Artículo']!]),
  },
  {
    question: '¿Cuál es el artículo con el precio más alto?',
    sql: 'SELECT articulo, precio FROM inventario QUALIFY rank() OVER (ORDER BY precio DESC) = 1',
    answer: () => best(inventario(), (row) => n(row.Precio), 1).map((row) => [row['Artículo']!, n(row.Precio)]),
  },
  {
    question: 'Número de artículos por almacén',
    sql: 'SELECT almacen, count(*) FROM inventario GROUP BY 1',
    answer: () => by(inventario(), 'Almacén').map(([key, some]) => [key, some.length]),
  },
  {
    question: '¿Cuántos artículos activos hay en Sevilla?',
    sql: "SELECT count(*) FROM inventario WHERE activo AND almacen = 'Sevilla'",
    answer: () => [[inventario().filter((row) => row.Activo === 'sí' && row['Almacén'] === 'Sevilla').length]],
  },
  {
    question: '¿Qué proveedores hay?',
    sql: 'SELECT DISTINCT proveedor FROM inventario',
    answer: () => by(inventario(), 'Proveedor').map(([key]) => [key]),
  },
  {
    question: '¿Cuál es el precio mínimo y el precio máximo?',
    sql: 'SELECT min(precio), max(precio) FROM inventario',
    answer: () => [[Math.min(...numbers(inventario(), 'Precio')), Math.max(...numbers(inventario(), 'Precio'))]],
  },
  {
    question: 'Suma de existencias por familia',
    sql: 'SELECT familia, sum(existencias) FROM inventario GROUP BY 1',
    answer: () => by(inventario(), 'Familia').map(([key, some]) => [key, total(some, 'Existencias')]),
  },
  {
    question: '¿Cuántas ventas no son de la región Sur?',
    sql: "SELECT count(*) FROM ventas WHERE region <> 'Sur'",
    answer: () => [[ventas().filter((row) => row['Región'] !== 'Sur').length]],
  },
  {
    question: '¿Cuántas ventas hay sin nota?',
    sql: 'SELECT count(*) FROM ventas WHERE nota IS NULL',
    answer: () => [[ventas().filter(({ Nota }) => Nota === '').length]],
  },
  {
    question: 'Promedio de unidades por venta en el canal Web',
    sql: "SELECT avg(unidades) FROM ventas WHERE canal = 'Web'",
    answer: () => [
      [
        mean(
          ventas().filter(({ Canal }) => Canal === 'Web'),
          'Unidades',
        ),
      ],
    ],
  },
  {
    question: '¿En qué mes de 2024 se vendieron más unidades?',
    sql: "SELECT strftime(fecha, '%Y-%m'), sum(unidades) FROM ventas WHERE year(fecha) = 2024 GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    answer: () =>
      best(
        groups(
          ventas().filter(({ Fecha }) => Fecha!.endsWith('2024')),
          ({ Fecha }) => day(Fecha).slice(0, 7),
        ).map(([key, some]) => [key, total(some, 'Unidades')] as const),
        ([, sum]) => sum,
        1,
      ),
  },
  {
    question: '¿Cuántas ventas hay de camisetas o pantalones?',
    sql: "SELECT count(*) FROM ventas WHERE producto IN ('Camiseta', 'Pantalón')",
    answer: () => [[ventas().filter(({ Producto }) => Producto === 'Camiseta' || Producto === 'Pantalón').length]],
  },
  {
    question: 'Dame la media del importe de las ventas pagadas desde enero de 2024',
    sql: "SELECT avg(importe) FROM ventas WHERE estado = 'Pagado' AND fecha >= DATE '2024-01-01'",
    answer: () => [
      [
        mean(
          ventas().filter(({ Estado, Fecha }) => Estado === 'Pagado' && day(Fecha) >= '2024-01-01'),
          'Importe (€)',
        ),
      ],
    ],
  },
  {
    question: '¿Qué porcentaje del importe corresponde a la región Este?',
    sql: "SELECT 100 * sum(importe) FILTER (WHERE region = 'Este') / sum(importe) FROM ventas",
    answer: () => [
      [
        (100 *
          total(
            ventas().filter((row) => row['Región'] === 'Este'),
            'Importe (€)',
          )) /
          total(ventas(), 'Importe (€)'),
      ],
    ],
  },
  {
    question: '¿Cuál es el segundo producto más vendido en unidades?',
    sql: 'SELECT producto, sum(unidades) FROM ventas GROUP BY 1 QUALIFY rank() OVER (ORDER BY sum(unidades) DESC) = 2',
    answer: () => {
      const sorted = by(ventas(), 'Producto')
        .map(([key, some]) => [key, total(some, 'Unidades')] as const)
        .sort((a, b) => b[1] - a[1]);
      return [sorted[1]!];
    },
  },
];
