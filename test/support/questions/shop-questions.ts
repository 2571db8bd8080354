/** Questions over the shop, in English and Spanish, with the right answers computed from its rows. */
import { shopRows } from './shop';
import type { Cell, Row } from './schema';

export interface DatabaseQuestion {
  readonly question: string;
  /** The rows of the right answer, in any order; other columns may stand beside them. */
  readonly answer: () => readonly (readonly Cell[])[];
}

const { countries, customers, categories, products, stores, employees, orders, items, payments, reviews } = shopRows;
export const sum = (some: readonly Row[], column: string): number =>
  Math.round(some.reduce((total, row) => total + Number(row[column] ?? 0), 0) * 100) / 100;
export const mean = (some: readonly Row[], column: string): number => {
  const known = some.filter((row) => row[column] !== null);
  return known.reduce((total, row) => total + Number(row[column]), 0) / known.length;
};
const of = (rows: readonly Row[], id: Cell | undefined): Row | undefined => rows.find((row) => row.id === id);
export function groups<T>(some: readonly Row[], key: (row: Row) => Cell, made: (key: Cell, rows: Row[]) => T): T[] {
  const found = new Map<Cell, Row[]>();
  for (const row of some) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return [...found].map(([one, rows]) => made(one, rows));
}
/** The first of a list by its last cell, with those that equal the last of them. */
export function best(some: readonly (readonly Cell[])[], count: number): (readonly Cell[])[] {
  const sorted = [...some].sort((a, b) => Number(b.at(-1)) - Number(a.at(-1)));
  const last = Number(sorted[Math.min(count, sorted.length) - 1]!.at(-1));
  return sorted.filter((row) => Number(row.at(-1)) >= last);
}
const year = (row: Row, column: string, wanted: number) => String(row[column] ?? '').startsWith(String(wanted));
const customerOf = (row: Row) => of(customers, row.customer_id);
const countryOf = (row: Row | undefined) => (row ? (of(countries, row.country_id)?.name ?? null) : null);
const productOf = (row: Row) => of(products, row.product_id)!;
const orderOf = (row: Row) => of(orders, row.order_id)!;
const nameOf = (row: Row | undefined): Cell => row?.name ?? null;
const ordersOf = (customer: Row) => orders.filter((row) => row.customer_id === customer.id);
const revenueOf = (some: readonly Row[]) =>
  Math.round(some.reduce((total, row) => total + Number(row.quantity) * Number(row.unit_price), 0) * 100) / 100;
const count = (some: readonly Row[]): Cell[][] => [[some.length]];

export const SHOP_QUESTIONS: readonly DatabaseQuestion[] = [
  { question: 'How many orders are there?', answer: () => count(orders) },
  {
    question: 'How many orders per customer?',
    answer: () =>
      groups(
        orders,
        (row) => nameOf(customerOf(row)),
        (key, rows) => [key, rows.length],
      ),
  },
  {
    question: 'Total order amount by customer country',
    answer: () =>
      groups(
        orders,
        (row) => countryOf(customerOf(row)),
        (key, rows) => [key, sum(rows, 'total_amount')],
      ),
  },
  {
    question: 'How many customers are in Germany?',
    answer: () => count(customers.filter((row) => countryOf(row) === 'Germany')),
  },
  {
    question: 'How many orders from customers in Germany in 2024?',
    answer: () =>
      count(orders.filter((row) => countryOf(customerOf(row)) === 'Germany' && year(row, 'order_date', 2024))),
  },
  {
    question: 'Which customers have no orders?',
    answer: () => customers.filter((row) => ordersOf(row).length === 0).map((row) => [row.id!, row.name!]),
  },
  {
    question: 'How many customers have never ordered?',
    answer: () => count(customers.filter((row) => ordersOf(row).length === 0)),
  },
  {
    question: 'How many customers have more than 10 orders?',
    answer: () => count(customers.filter((row) => ordersOf(row).length > 10)),
  },
  {
    question: 'How many customers have fewer than 8 orders?',
    answer: () => count(customers.filter((row) => ordersOf(row).length < 8)),
  },
  {
    question: 'Which customers have placed more than 12 orders?',
    answer: () => customers.filter((row) => ordersOf(row).length > 12).map((row) => [row.name!]),
  },
  {
    question: 'How many customers have no orders in 2024?',
    answer: () => count(customers.filter((row) => !ordersOf(row).some((one) => year(one, 'order_date', 2024)))),
  },
  {
    question: 'Top 3 customers by total amount',
    answer: () =>
      best(
        groups(
          orders.filter((row) => row.customer_id !== null),
          (row) => nameOf(customerOf(row)),
          (key, rows) => [key, sum(rows, 'total_amount')],
        ),
        3,
      ),
  },
  {
    question: 'Top 5 products by quantity sold',
    answer: () =>
      best(
        groups(
          items,
          (row) => nameOf(productOf(row)),
          (key, rows) => [key, sum(rows, 'quantity')],
        ),
        5,
      ),
  },
  {
    question: 'Total quantity by category',
    answer: () =>
      groups(
        items,
        (row) => nameOf(of(categories, productOf(row).category_id)),
        (key, rows) => [key, sum(rows, 'quantity')],
      ),
  },
  {
    question: 'Total quantity per product category in 2024',
    answer: () =>
      groups(
        items.filter((row) => year(orderOf(row), 'order_date', 2024)),
        (row) => nameOf(of(categories, productOf(row).category_id)),
        (key, rows) => [key, sum(rows, 'quantity')],
      ),
  },
  {
    question: 'Average rating per product',
    answer: () =>
      groups(
        reviews,
        (row) => nameOf(productOf(row)),
        (key, rows) => [key, mean(rows, 'rating')],
      ),
  },
  {
    question: 'Average rating of the Desk',
    answer: () => [
      [
        mean(
          reviews.filter((row) => nameOf(productOf(row)) === 'Desk'),
          'rating',
        ),
      ],
    ],
  },
  { question: 'How many active customers are there?', answer: () => count(customers.filter((row) => row.is_active)) },
  {
    question: 'How many orders of active customers?',
    answer: () => count(orders.filter((row) => customerOf(row)?.is_active === true)),
  },
  { question: 'How many orders were shipped?', answer: () => count(orders.filter((row) => row.status === 'shipped')) },
  {
    question: 'How many orders are not shipped?',
    answer: () => count(orders.filter((row) => row.status !== 'shipped')),
  },
  {
    question: 'How many orders were shipped in March 2024?',
    answer: () => count(orders.filter((row) => String(row.shipped_at ?? '').startsWith('2024-03'))),
  },
  {
    question: 'What is the average salary of employees in the Berlin store?',
    answer: () => [
      [
        mean(
          employees.filter((row) => of(stores, row.store_id)?.city === 'Berlin'),
          'salary',
        ),
      ],
    ],
  },
  {
    question: 'Number of employees per manager',
    answer: () =>
      groups(
        employees,
        (row) => of(employees, row.manager_id)?.last_name ?? null,
        (key, rows) => [key, rows.length],
      ),
  },
  {
    question: 'Total amount paid by card',
    answer: () => [
      [
        sum(
          payments.filter((row) => row.method === 'card'),
          'amount',
        ),
      ],
    ],
  },
  {
    question: 'Which category has the most products?',
    answer: () =>
      best(
        groups(
          products,
          (row) => nameOf(of(categories, row.category_id)),
          (key, rows) => [key, rows.length],
        ),
        1,
      ),
  },
  {
    question: 'How many products are discontinued?',
    answer: () => count(products.filter((row) => row.discontinued_at !== null)),
  },
  {
    question: 'Which customers bought Hammock?',
    answer: () =>
      customers
        .filter((row) =>
          items.some((item) => orderOf(item).customer_id === row.id && nameOf(productOf(item)) === 'Hammock'),
        )
        .map((row) => [row.name!]),
  },
  {
    question: 'How many customers bought a Desk Lamp in 2024?',
    answer: () =>
      count(
        customers.filter((row) =>
          items.some(
            (item) =>
              orderOf(item).customer_id === row.id &&
              nameOf(productOf(item)) === 'Desk Lamp' &&
              year(orderOf(item), 'order_date', 2024),
          ),
        ),
      ),
  },
  {
    question: 'How many orders contain a Sofa?',
    answer: () =>
      count(
        orders.filter((row) => items.some((item) => item.order_id === row.id && nameOf(productOf(item)) === 'Sofa')),
      ),
  },
  {
    question: 'Revenue by product',
    answer: () =>
      groups(
        items,
        (row) => nameOf(productOf(row)),
        (key, rows) => [key, revenueOf(rows)],
      ),
  },
  {
    question: 'Total amount per month in 2024',
    answer: () =>
      groups(
        orders.filter((row) => year(row, 'order_date', 2024)),
        (row) => String(row.order_date).slice(0, 7),
        (key, rows) => [key, sum(rows, 'total_amount')],
      ),
  },
  {
    question: 'Number of orders by store and status',
    answer: () =>
      groups(
        orders,
        (row) => `${row.store_id}|${row.status}`,
        (key, rows) => [nameOf(of(stores, rows[0]!.store_id)), String(key).split('|')[1]!, rows.length],
      ),
  },
  {
    question: 'Average order amount per segment',
    answer: () =>
      groups(
        orders,
        (row) => customerOf(row)?.segment ?? null,
        (key, rows) => [key, mean(rows, 'total_amount')],
      ),
  },
  {
    question: 'List the customers from Spain',
    answer: () => customers.filter((row) => countryOf(row) === 'Spain').map((row) => [row.name!]),
  },
  {
    question: 'What is the most expensive product?',
    answer: () =>
      best(
        products.map((row) => [row.name!, row.price!]),
        1,
      ),
  },
  { question: 'What is the status of order 17?', answer: () => [[of(orders, 17)!.status!]] },
  {
    question: 'How many orders without a customer?',
    answer: () => count(orders.filter((row) => row.customer_id === null)),
  },
  {
    question: 'Countries with more than 4 customers',
    answer: () =>
      groups(customers, countryOf, (key, rows) => [key, rows.length] as Cell[])
        .filter(([, n]) => Number(n) > 4)
        .map(([name]) => [name!]),
  },
  {
    question: 'Employees hired before 2018',
    answer: () => employees.filter((row) => String(row.hire_date) < '2018').map((row) => [row.id!]),
  },
  {
    question: 'What percentage of orders are from wholesale customers?',
    answer: () => [[(100 * orders.filter((row) => customerOf(row)?.segment === 'wholesale').length) / orders.length]],
  },
  {
    question: 'How many different products were sold?',
    answer: () => [[new Set(items.map((row) => row.product_id)).size]],
  },
  {
    question: 'How many orders have a discount over 20?',
    answer: () => count(orders.filter((row) => Number(row.discount) > 20)),
  },
  // --- Spanish ---
  {
    question: '¿Cuántos pedidos hay por cliente?',
    answer: () =>
      groups(
        orders,
        (row) => nameOf(customerOf(row)),
        (key, rows) => [key, rows.length],
      ),
  },
  {
    question: '¿Cuántos clientes hay en Alemania?',
    answer: () => count(customers.filter((row) => countryOf(row) === 'Germany')),
  },
  {
    question: '¿Cuál es el importe total de los pedidos enviados?',
    answer: () => [
      [
        sum(
          orders.filter((row) => row.status === 'shipped'),
          'total_amount',
        ),
      ],
    ],
  },
  {
    question: '¿Cuántos pedidos cancelados hubo en 2024?',
    answer: () => count(orders.filter((row) => row.status === 'cancelled' && year(row, 'order_date', 2024))),
  },
  {
    question: '¿Qué clientes no tienen pedidos?',
    answer: () => customers.filter((row) => ordersOf(row).length === 0).map((row) => [row.name!]),
  },
  {
    question: '¿Cuántos clientes tienen más de 10 pedidos?',
    answer: () => count(customers.filter((row) => ordersOf(row).length > 10)),
  },
  {
    question: 'Media de valoración por producto',
    answer: () =>
      groups(
        reviews,
        (row) => nameOf(productOf(row)),
        (key, rows) => [key, mean(rows, 'rating')],
      ),
  },
  {
    question: '¿Cuál es el producto más caro?',
    answer: () =>
      best(
        products.map((row) => [row.name!, row.price!]),
        1,
      ),
  },
  {
    question: '¿Cuántos empleados hay por tienda?',
    answer: () =>
      groups(
        employees,
        (row) => nameOf(of(stores, row.store_id)),
        (key, rows) => [key, rows.length],
      ),
  },
  {
    question: '¿Cuántas unidades se vendieron por categoría en 2024?',
    answer: () =>
      groups(
        items.filter((row) => year(orderOf(row), 'order_date', 2024)),
        (row) => nameOf(of(categories, productOf(row).category_id)),
        (key, rows) => [key, sum(rows, 'quantity')],
      ),
  },
  {
    question: '¿Qué vendedor tiene más pedidos?',
    answer: () =>
      best(
        groups(
          orders.filter((row) => row.salesperson_id !== null),
          (row) => of(employees, row.salesperson_id)!.last_name!,
          (key, rows) => [key, rows.length],
        ),
        1,
      ),
  },
  {
    question: 'Los 3 clientes con más pedidos',
    answer: () =>
      best(
        groups(
          orders.filter((row) => row.customer_id !== null),
          (row) => nameOf(customerOf(row)),
          (key, rows) => [key, rows.length],
        ),
        3,
      ),
  },
  {
    question: '¿Cuál es el salario medio por tienda?',
    answer: () =>
      groups(
        employees,
        (row) => nameOf(of(stores, row.store_id)),
        (key, rows) => [key, mean(rows, 'salary')],
      ),
  },
  {
    question: '¿Cuántos pedidos hay por mes en 2023?',
    answer: () =>
      groups(
        orders.filter((row) => year(row, 'order_date', 2023)),
        (row) => String(row.order_date).slice(0, 7),
        (key, rows) => [key, rows.length],
      ),
  },
  {
    question: '¿Cuántos productos tienen un precio mayor de 300?',
    answer: () => count(products.filter((row) => Number(row.price) > 300)),
  },
  {
    question: '¿Qué porcentaje de los pedidos están cancelados?',
    answer: () => [[(100 * orders.filter((row) => row.status === 'cancelled').length) / orders.length]],
  },
  {
    question: 'Importe total por trimestre en 2024',
    answer: () =>
      groups(
        orders.filter((row) => year(row, 'order_date', 2024)),
        (row) => `2024-Q${Math.ceil(Number(String(row.order_date).slice(5, 7)) / 3)}`,
        (key, rows) => [key, sum(rows, 'total_amount')],
      ),
  },
];
