/**
 * What people of that company would ask, in English and Spanish, each with SQL that a person wrote, the tables it needs,
 * and the right answer as it is computed here from the rows, not by any SQL.
 *
 * The questions were written from the schema, before anybody looked at what the built-in model understands.
 */
import { euros, TIME_ZONE } from './nasty-database';
import * as data from './nasty-rows';

/** A text is compared as it is, a number with the digits that a rounding may cost; of several, one. */
export type Cell = string | number | { readonly oneOf: readonly (string | number)[] };

export interface NastyQuestion {
  readonly question: string;
  readonly language: 'en' | 'es';
  readonly sql: string;
  /** As SQL names them. */
  readonly needs: readonly string[];
  /** The rows of the right answer, in any order; other columns may stand beside them. */
  readonly answer: () => readonly (readonly Cell[])[];
}

const CUSTOMER = '"Customer"';
const ORDER = '"order"';

const local = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, dateStyle: 'short' });
/** The day of a moment where the company is. */
const day = (moment: string): string => local.format(new Date(moment));
const month = (moment: string) => day(moment).slice(0, 7);
const year = (moment: string) => day(moment).slice(0, 4);

const sum = <T>(of: readonly T[], value: (one: T) => number): number => of.reduce((all, one) => all + value(one), 0);
const mean = <T>(of: readonly T[], value: (one: T) => number): number => sum(of, value) / of.length;
const money = <T>(of: readonly T[], cents: (one: T) => number): string => euros(sum(of, cents))!;
function groups<T>(of: readonly T[], key: (one: T) => string): (readonly [string, readonly T[]])[] {
  const found = new Map<string, T[]>();
  for (const one of of) found.set(key(one), [...(found.get(key(one)) ?? []), one]);
  return [...found];
}
const counts = <T>(of: readonly T[], key: (one: T) => string): [string, number][] =>
  groups(of, key).map(([name, some]) => [name, some.length]);
/** The first of a list by a number. @throws Error where the next has as much: there would be several right answers. */
function top<T>(of: readonly T[], count: number, value: (one: T) => number): T[] {
  const sorted = [...of].sort((one, other) => value(other) - value(one));
  const [last, next] = [sorted[count - 1], sorted[count]];
  if (last && next && value(last) === value(next)) throw new Error('The question has several right answers');
  return sorted.slice(0, count);
}
const isKnown = <T>(value: T | null): value is T => value !== null;

const customerOf = new Map(data.customers.map((one) => [one.CustomerId, one]));
const productOf = new Map(data.products.map((one) => [one.code, one]));
const categoryOf = new Map(data.categories.map((one) => [one.id, one]));
const departmentOf = new Map(data.departments.map((one) => [one.id, one]));
const warehouseOf = new Map(data.warehouses.map((one) => [one.id, one]));
const supplierOf = new Map(data.suppliers.map((one) => [one.id, one]));
const employeeOf = new Map(data.employees.map((one) => [one.id, one]));
const orderOf = new Map(data.orders.map((one) => [one.id, one]));
const isOpen = ({ closed_at }: { closed_at: string | null }) => closed_at === null;
const sold = data.orders.filter(({ status }) => status !== 'cancelled' && status !== 'returned');

const en = (question: string, needs: readonly string[], sql: string, answer: NastyQuestion['answer']) =>
  ({ question, language: 'en', needs, sql, answer }) as const;
const es = (question: string, needs: readonly string[], sql: string, answer: NastyQuestion['answer']) =>
  ({ question, language: 'es', needs, sql, answer }) as const;

export const QUESTIONS: readonly NastyQuestion[] = [
  en('How many customers do we have?', [CUSTOMER], 'SELECT count(*) FROM "Customer"', () => [[data.customers.length]]),
  en(
    'How many customers are there in each city?',
    [CUSTOMER],
    'SELECT "City", count(*) FROM "Customer" GROUP BY "City"',
    () => counts(data.customers, ({ City }) => City),
  ),
  en(
    'Which city has the most customers?',
    [CUSTOMER],
    'SELECT "City", count(*) FROM "Customer" GROUP BY "City" ORDER BY 2 DESC LIMIT 1',
    () =>
      top(
        counts(data.customers, ({ City }) => City),
        1,
        ([, count]) => count,
      ).map(([city]) => [city]),
  ),
  en(
    'What is the average credit limit of wholesale customers?',
    [CUSTOMER],
    `SELECT avg("CreditLimit") FROM "Customer" WHERE "Segment" = 'wholesale'`,
    () => {
      const limits = data.customers.filter(({ Segment }) => Segment === 'wholesale').map((one) => one.CreditLimit);
      return [[mean(limits.filter(isKnown), (cents) => cents / 100)]];
    },
  ),
  en(
    'How many orders were placed in March 2024?',
    [ORDER],
    `SELECT count(*) FROM "order" WHERE placed_at >= '2024-03-01' AND placed_at < '2024-04-01'`,
    () => [[data.orders.filter(({ placed_at }) => month(placed_at) === '2024-03').length]],
  ),
  en(
    'What was the total amount of the orders placed in 2024?',
    [ORDER],
    'SELECT sum(total) FROM "order" WHERE extract(year FROM placed_at) = 2024',
    () => [
      [
        money(
          data.orders.filter(({ placed_at }) => year(placed_at) === '2024'),
          ({ total }) => total,
        ),
      ],
    ],
  ),
  en('How many orders were cancelled?', [ORDER], `SELECT count(*) FROM "order" WHERE status = 'cancelled'`, () => [
    [data.orders.filter(({ status }) => status === 'cancelled').length],
  ]),
  en(
    'What are the five most expensive products?',
    ['product'],
    'SELECT name, list_price FROM product ORDER BY list_price DESC LIMIT 5',
    () => top(data.products, 5, ({ list_price }) => list_price).map(({ name }) => [name]),
  ),
  en(
    'What is the average order total by status?',
    [ORDER],
    'SELECT status, avg(total) FROM "order" GROUP BY status',
    () =>
      groups(data.orders, ({ status }) => status).map(([status, some]) => [
        status,
        mean(some, ({ total }) => total / 100),
      ]),
  ),
  en('How many tickets are still open?', ['ticket'], 'SELECT count(*) FROM ticket WHERE closed_at IS NULL', () => [
    [data.tickets.filter(isOpen).length],
  ]),
  en(
    'What is the average satisfaction of urgent tickets?',
    ['ticket'],
    `SELECT avg(satisfaction) FROM ticket WHERE priority = 'urgent'`,
    () => {
      const urgent = data.tickets.filter(({ priority }) => priority === 'urgent').map((one) => one.satisfaction);
      return [[mean(urgent.filter(isKnown), (rating) => rating)]];
    },
  ),
  en('How many tickets did each team get?', ['ticket'], 'SELECT "group", count(*) FROM ticket GROUP BY "group"', () =>
    counts(data.tickets, ({ group }) => group),
  ),
  en(
    'Which countries do our suppliers come from, and how many are there in each?',
    ['supplier'],
    'SELECT country, count(*) FROM supplier GROUP BY country',
    () => counts(data.suppliers, ({ country }) => country),
  ),
  en('List the suppliers with a rating of 5.', ['supplier'], 'SELECT company_name FROM supplier WHERE rating = 5', () =>
    data.suppliers.filter(({ rating }) => rating === 5).map((one) => [one.company_name]),
  ),
  en('How many products are discontinued?', ['product'], 'SELECT count(*) FROM product WHERE discontinued', () => [
    [data.products.filter(({ discontinued }) => discontinued).length],
  ]),
  en(
    'What is the heaviest product?',
    ['product'],
    'SELECT name, "weight kg" FROM product ORDER BY "weight kg" DESC NULLS LAST LIMIT 1',
    () => top(data.products, 1, ({ weight }) => weight ?? 0).map(({ name }) => [name]),
  ),
  en(
    'What is the average list price per product category?',
    ['product', 'category'],
    'SELECT c.name, avg(p.list_price) FROM product p JOIN category c ON c.id = p.category_id GROUP BY c.name',
    () =>
      groups(data.products, (one) => categoryOf.get(one.category_id)!.name).map(([name, some]) => [
        name,
        mean(some, ({ list_price }) => list_price / 100),
      ]),
  ),
  en(
    'Which ten customers spent the most?',
    [CUSTOMER, ORDER],
    'SELECT c."FullName", sum(o.total) FROM "Customer" c JOIN "order" o ON o."customerId" = c."CustomerId" GROUP BY c."CustomerId" ORDER BY 2 DESC LIMIT 10',
    () =>
      top(
        groups(data.orders, ({ customerId }) => customerOf.get(customerId)!.FullName),
        10,
        ([, some]) => sum(some, ({ total }) => total),
      ).map(([name]) => [name]),
  ),
  en(
    'How many orders did customers from Málaga place?',
    [CUSTOMER, ORDER],
    `SELECT count(*) FROM "order" o JOIN "Customer" c ON c."CustomerId" = o."customerId" WHERE c."City" = 'Málaga'`,
    () => [[data.orders.filter(({ customerId }) => customerOf.get(customerId)!.City === 'Málaga').length]],
  ),
  en(
    'How many units of the product "Lámpara Alba" were ordered?',
    ['product', 'order_line'],
    `SELECT sum(l.quantity) FROM order_line l JOIN product p ON p.code = l.product_code WHERE p.name = 'Lámpara Alba'`,
    () => [
      [
        sum(
          data.lines.filter((line) => productOf.get(line.product_code)!.name === 'Lámpara Alba'),
          ({ quantity }) => quantity,
        ),
      ],
    ],
  ),
  en(
    'What is the total VAT of the invoices that have not been paid?',
    ['factura'],
    'SELECT sum(iva) FROM factura WHERE NOT pagada',
    () => [
      [
        money(
          data.invoices.filter(({ pagada }) => !pagada),
          ({ iva }) => iva,
        ),
      ],
    ],
  ),
  en(
    'How many invoices were issued in the first quarter of 2025?',
    ['factura'],
    `SELECT count(*) FROM factura WHERE emitida_el BETWEEN '2025-01-01' AND '2025-03-31'`,
    () => [[data.invoices.filter(({ emitida_el }) => /^2025-0[123]/.test(emitida_el)).length]],
  ),
  en('What is the highest salary in the company?', ['employee'], 'SELECT max(salario) FROM hr.employee', () => [
    [euros(Math.max(...data.employees.map(({ salario }) => salario)))!],
  ]),
  en(
    'How many employees work in each department?',
    ['employee', 'departamento'],
    'SELECT d.nombre, count(*) FROM hr.employee e JOIN hr.departamento d ON d.id = e.departamento_id GROUP BY d.nombre',
    () => counts(data.employees, (one) => departmentOf.get(one.departamento_id)!.nombre),
  ),
  en(
    'How many archived orders were placed in 2021?',
    ['archive."order"'],
    'SELECT count(*) FROM archive."order" WHERE extract(year FROM placed_at) = 2021',
    () => [[data.oldOrders.filter(({ placed_at }) => year(placed_at) === '2021').length]],
  ),
  en(
    'Which customers have never placed an order?',
    [CUSTOMER, ORDER],
    'SELECT c."FullName" FROM "Customer" c WHERE NOT EXISTS (SELECT 1 FROM "order" o WHERE o."customerId" = c."CustomerId")',
    () => {
      const buyers = new Set(data.orders.map(({ customerId }) => customerId));
      return data.customers.filter(({ CustomerId }) => !buyers.has(CustomerId)).map(({ FullName }) => [FullName]);
    },
  ),
  en(
    'How many customers subscribe to the newsletter?',
    [CUSTOMER],
    `SELECT count(*) FROM "Customer" WHERE ("Profile" ->> 'newsletter')::boolean`,
    () => [[data.customers.filter(({ Profile }) => Profile.newsletter).length]],
  ),
  en(
    'What was the revenue of May 2023 in the monthly sales?',
    ['v_monthly_sales'],
    `SELECT revenue FROM v_monthly_sales WHERE month = '2023-05-01'`,
    () => [
      [
        money(
          sold.filter(({ placed_at }) => month(placed_at) === '2023-05'),
          ({ total }) => total,
        ),
      ],
    ],
  ),
  en(
    'What is the average lead time in days of our Portuguese suppliers?',
    ['product_supplier', 'supplier'],
    `SELECT avg(ps.lead_days) FROM product_supplier ps JOIN supplier s ON s.id = ps.supplier_id WHERE s.country = 'PT'`,
    () => [
      [
        mean(
          data.supplies.filter((one) => supplierOf.get(one.supplier_id)!.country === 'PT'),
          ({ lead_days }) => lead_days,
        ),
      ],
    ],
  ),
  en(
    'Which employees earn more than their manager?',
    ['employee'],
    'SELECT e.id, e.nombre, e.apellidos FROM hr.employee e JOIN hr.employee m ON m.id = e.jefe_id WHERE e.salario > m.salario',
    () =>
      data.employees
        .filter(({ salario, jefe_id }) => jefe_id !== null && salario > employeeOf.get(jefe_id)!.salario)
        .map(({ apellidos }) => [apellidos]),
  ),

  es('¿Cuántos pedidos hay en total?', [ORDER], 'SELECT count(*) FROM "order"', () => [[data.orders.length]]),
  es(
    '¿Cuál es el importe total de los pedidos por canal de venta?',
    [ORDER],
    'SELECT channel, sum(total) FROM "order" GROUP BY channel',
    () =>
      groups(data.orders, ({ channel }) => channel).map(([channel, some]) => [
        channel,
        money(some, ({ total }) => total),
      ]),
  ),
  es(
    '¿Cuántos clientes se dieron de alta en 2024?',
    [CUSTOMER],
    `SELECT count(*) FROM "Customer" WHERE extract(year FROM "SignedUpOn") = 2024`,
    () => [[data.customers.filter(({ SignedUpOn }) => SignedUpOn.startsWith('2024')).length]],
  ),
  es('¿Cuál es el precio de catálogo más alto?', ['product'], 'SELECT max(list_price) FROM product', () => [
    [euros(Math.max(...data.products.map(({ list_price }) => list_price)))!],
  ]),
  es('¿Cuántas facturas están sin pagar?', ['factura'], 'SELECT count(*) FROM factura WHERE NOT pagada', () => [
    [data.invoices.filter(({ pagada }) => !pagada).length],
  ]),
  es(
    '¿Cuál es la base imponible total de las facturas emitidas en 2024?',
    ['factura'],
    `SELECT sum(base_imponible) FROM factura WHERE emitida_el BETWEEN '2024-01-01' AND '2024-12-31'`,
    () => [
      [
        money(
          data.invoices.filter(({ emitida_el }) => emitida_el.startsWith('2024')),
          (one) => one.base_imponible,
        ),
      ],
    ],
  ),
  es(
    'Dime los tres almacenes con más capacidad.',
    ['almacen'],
    'SELECT nombre FROM almacen ORDER BY "Capacidad m2" DESC LIMIT 3',
    () => top(data.warehouses, 3, ({ capacity }) => capacity).map(({ nombre }) => [nombre]),
  ),
  es(
    '¿Cuál es el salario medio por departamento?',
    ['employee', 'departamento'],
    'SELECT d.nombre, avg(e.salario) FROM hr.employee e JOIN hr.departamento d ON d.id = e.departamento_id GROUP BY d.nombre',
    () =>
      groups(data.employees, (one) => departmentOf.get(one.departamento_id)!.nombre).map(([name, some]) => [
        name,
        mean(some, ({ salario }) => salario / 100),
      ]),
  ),
  es(
    '¿Cuántos empleados entraron en la empresa después de 2020?',
    ['employee'],
    `SELECT count(*) FROM hr.employee WHERE fecha_alta > '2020-12-31'`,
    () => [[data.employees.filter(({ fecha_alta }) => fecha_alta > '2020-12-31').length]],
  ),
  es(
    '¿Qué presupuesto tiene el departamento de Contabilidad?',
    ['departamento'],
    `SELECT presupuesto FROM hr.departamento WHERE nombre = 'Contabilidad'`,
    () => [[euros(data.departments.find(({ nombre }) => nombre === 'Contabilidad')!.presupuesto)!]],
  ),
  es('¿Cuántas incidencias urgentes hay?', ['ticket'], `SELECT count(*) FROM ticket WHERE priority = 'urgent'`, () => [
    [data.tickets.filter(({ priority }) => priority === 'urgent').length],
  ]),
  es(
    '¿Cuántas incidencias abiertas tiene cada equipo?',
    ['ticket'],
    'SELECT "group", count(*) FROM ticket WHERE closed_at IS NULL GROUP BY "group"',
    () => counts(data.tickets.filter(isOpen), ({ group }) => group),
  ),
  es(
    '¿Cuál es la valoración media de los proveedores por país?',
    ['supplier'],
    'SELECT country, avg(rating) FROM supplier GROUP BY country',
    () =>
      groups(data.suppliers, ({ country }) => country).map(([country, some]) => [
        country,
        mean(some.map(({ rating }) => rating).filter(isKnown), (rating) => rating),
      ]),
  ),
  es(
    '¿Qué proveedores no tienen valoración?',
    ['supplier'],
    'SELECT company_name FROM supplier WHERE rating IS NULL',
    () => data.suppliers.filter(({ rating }) => rating === null).map((one) => [one.company_name]),
  ),
  es(
    '¿Cuántos movimientos de existencias por rotura hubo en 2024?',
    ['stock_movement'],
    `SELECT count(*) FROM stock_movement WHERE reason = 'breakage' AND extract(year FROM moved_at) = 2024`,
    () => [
      [data.movements.filter(({ reason, moved_at }) => reason === 'breakage' && year(moved_at) === '2024').length],
    ],
  ),
  es(
    '¿Cuántos movimientos de existencias hay por almacén?',
    ['stock_movement', 'almacen'],
    'SELECT a.nombre, count(*) FROM stock_movement m JOIN almacen a ON a.id = m.almacen_id GROUP BY a.nombre',
    () => counts(data.movements, (one) => warehouseOf.get(one.almacen_id)!.nombre),
  ),
  es(
    '¿Cuál es la existencia neta de cada producto en el almacén Central?',
    ['stock_movement', 'almacen', 'product'],
    `SELECT p.name, sum(m.quantity) FROM stock_movement m JOIN almacen a ON a.id = m.almacen_id JOIN product p ON p.code = m.product_code WHERE a.nombre = 'Central' GROUP BY p.name`,
    () =>
      groups(
        data.movements.filter((one) => one.almacen_id === 1),
        (one) => one.product_code,
      ).map(([code, some]) => [{ oneOf: [productOf.get(code)!.name, code] }, sum(some, ({ quantity }) => quantity)]),
  ),
  es(
    '¿Cuántos clientes hay por segmento?',
    [CUSTOMER],
    'SELECT "Segment", count(*) FROM "Customer" GROUP BY "Segment"',
    () => counts(data.customers, ({ Segment }) => Segment),
  ),
  es(
    '¿Cuál es el límite de crédito medio de los clientes de Sevilla?',
    [CUSTOMER],
    `SELECT avg("CreditLimit") FROM "Customer" WHERE "City" = 'Sevilla'`,
    () => {
      const limits = data.customers.filter(({ City }) => City === 'Sevilla').map((one) => one.CreditLimit);
      return [[mean(limits.filter(isKnown), (cents) => cents / 100)]];
    },
  ),
  es(
    '¿Qué clientes no tienen límite de crédito?',
    [CUSTOMER],
    'SELECT "FullName" FROM "Customer" WHERE "CreditLimit" IS NULL',
    () => data.customers.filter(({ CreditLimit }) => CreditLimit === null).map(({ FullName }) => [FullName]),
  ),
  es(
    '¿Cuántos pedidos se hicieron en la tienda en 2024?',
    [ORDER],
    `SELECT count(*) FROM "order" WHERE channel = 'tienda' AND placed_at >= '2024-01-01' AND placed_at < '2025-01-01'`,
    () => [[data.orders.filter(({ channel, placed_at }) => channel === 'tienda' && year(placed_at) === '2024').length]],
  ),
  es(
    '¿Cuáles son los 5 productos más vendidos por unidades?',
    ['product', 'order_line'],
    'SELECT p.name, sum(l.quantity) FROM order_line l JOIN product p ON p.code = l.product_code GROUP BY p.name ORDER BY 2 DESC LIMIT 5',
    () =>
      top(
        groups(data.lines, (line) => productOf.get(line.product_code)!.name),
        5,
        ([, some]) => sum(some, ({ quantity }) => quantity),
      ).map(([name]) => [name]),
  ),
  es(
    '¿Qué importe neto se vendió de cada categoría en 2024, según las líneas de los pedidos?',
    ['category', 'product', 'order_line', ORDER],
    'SELECT c.name, sum(l.quantity * l.unit_price - l.discount) FROM order_line l JOIN "order" o ON o.id = l.order_id JOIN product p ON p.code = l.product_code JOIN category c ON c.id = p.category_id WHERE extract(year FROM o.placed_at) = 2024 GROUP BY c.name',
    () =>
      groups(
        data.lines.filter((line) => year(orderOf.get(line.order_id)!.placed_at) === '2024'),
        (line) => categoryOf.get(productOf.get(line.product_code)!.category_id)!.name,
      ).map(([name, some]) => [name, money(some, data.amountOf)]),
  ),
  es(
    '¿Cuántos productos son de color rojo?',
    ['product'],
    `SELECT count(*) FROM product WHERE attributes ->> 'color' = 'rojo'`,
    () => [[data.products.filter(({ attributes }) => attributes.color === 'rojo').length]],
  ),
  es(
    '¿Cuántos clientes hay en cada provincia?',
    [CUSTOMER],
    `SELECT "Profile" #>> '{address,province}', count(*) FROM "Customer" GROUP BY 1`,
    () => counts(data.customers, ({ Profile }) => Profile.address.province),
  ),
  es(
    '¿Cuántos pedidos hubo cada año?',
    [ORDER],
    'SELECT extract(year FROM placed_at)::integer, count(*) FROM "order" GROUP BY 1',
    () =>
      counts(data.orders, ({ placed_at }) => year(placed_at)).map(([name, count]) => [
        { oneOf: [name, Number(name), `${name}-01-01`] },
        count,
      ]),
  ),
  es(
    '¿Cuál fue el mes con más ingresos según las ventas mensuales?',
    ['v_monthly_sales'],
    'SELECT month, revenue FROM v_monthly_sales ORDER BY revenue DESC LIMIT 1',
    () =>
      top(
        groups(sold, ({ placed_at }) => month(placed_at)),
        1,
        ([, some]) => sum(some, ({ total }) => total),
      ).map(([name]) => [`${name}-01`]),
  ),
  es(
    '¿Qué porcentaje de los pedidos fue devuelto?',
    [ORDER],
    `SELECT round(100.0 * count(*) FILTER (WHERE status = 'returned') / count(*), 4) FROM "order"`,
    () => {
      const share = data.orders.filter(({ status }) => status === 'returned').length / data.orders.length;
      return [[{ oneOf: [share * 100, share] }]];
    },
  ),
  es(
    '¿Cuántos clientes han hecho más de quince pedidos?',
    [ORDER],
    'SELECT count(*) FROM (SELECT "customerId" FROM "order" GROUP BY 1 HAVING count(*) > 15) busy',
    () => [[counts(data.orders, ({ customerId }) => String(customerId)).filter(([, count]) => count > 15).length]],
  ),
  es(
    '¿Cuál es la mediana del total de los pedidos?',
    [ORDER],
    'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM "order"',
    () => {
      const totals = data.orders.map(({ total }) => total).sort((one, other) => one - other);
      return [[(totals[totals.length / 2 - 1]! + totals[totals.length / 2]!) / 200]];
    },
  ),
];

/** Whether the rows of a result say what the answer says: as many rows, and in each the cells of one of the answer's. */
export function isRight(rows: readonly (readonly unknown[])[], answer: readonly (readonly Cell[])[]): boolean {
  if (rows.length !== answer.length) return false;
  const left = [...rows];
  return answer.every((expected) => {
    const at = left.findIndex((row) => expected.every((cell) => row.some((value) => says(value, cell))));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function says(value: unknown, cell: Cell): boolean {
  if (typeof cell === 'object') return cell.oneOf.some((one) => says(value, one));
  const text = String(value);
  if (typeof cell === 'string') {
    if (text === cell) return true;
    // Digits after the point that are zeros say nothing.
    if (/^-?\d+\.\d+$/.test(cell) && /^-?\d+(\.\d+)?$/.test(text)) return trimmed(text) === trimmed(cell);
    return /^\d{4}-\d\d-\d\d$/.test(cell) && text.startsWith(`${cell} 00:00:00`);
  }
  if (value === null || !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return false;
  return Number.isInteger(cell) ? Number(text) === cell : Math.abs(Number(text) - cell) <= 0.006;
}

const trimmed = (digits: string) => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
