/** Wordings of offices: each is one kind of question of the family, in the words in which it was first declined. */
import type { SqlColumn } from '../../sql-task';
import { answerSqlTask } from './answer-sql-task';

const column = (name: string, type: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  nulls: 0,
  ...more,
});
const values = (...all: string[]) => ({ values: all.map((value) => ({ value, count: 1 })), distinct: all.length });
const sales = {
  name: 'sales',
  origin: 'sales.csv',
  rowCount: 500,
  notes: [],
  columns: [
    column('order_id', 'BIGINT', { distinct: 500, identifier: true }),
    column('order_date', 'DATE'),
    column('ship_date', 'DATE', { nulls: 20 }),
    column('customer', 'VARCHAR', values('Acme', 'Cobalt')),
    column('customer_email', 'VARCHAR', { nulls: 9 }),
    column('country', 'VARCHAR', values('Germany', 'Spain')),
    column('channel', 'VARCHAR', values('web', 'store')),
    column('quantity', 'BIGINT', { minimum: '1', maximum: '9' }),
    column('amount', 'DECIMAL(18,2)'),
    column('discount_pct', 'BIGINT', { minimum: '0', maximum: '15' }),
    column('returned', 'BOOLEAN'),
  ],
};
const inventory = {
  name: 'inventory',
  origin: 'inventory.csv',
  rowCount: 140,
  notes: [],
  columns: [
    column('sku', 'VARCHAR', { distinct: 140 }),
    column('product', 'VARCHAR', { distinct: 140 }),
    column('category', 'VARCHAR', values('Paint', 'Tools')),
    column('stock', 'BIGINT', { nulls: 30, minimum: '-9', maximum: '300' }),
    column('min_stock', 'BIGINT', { minimum: '5', maximum: '20' }),
    column('unit_cost', 'DECIMAL(18,2)'),
    column('supplier', 'VARCHAR', { nulls: 12, ...values('Bosco', 'Tamrac') }),
  ],
};
const staff = {
  name: 'employees',
  origin: 'employees.csv',
  rowCount: 90,
  notes: [],
  columns: [
    column('name', 'VARCHAR', { distinct: 90 }),
    column('city', 'VARCHAR', values('Madrid', 'Lisbon')),
    column('hire_date', 'DATE'),
    column('leave_date', 'DATE', { nulls: 70 }),
    column('salary', 'BIGINT'),
    column('age', 'BIGINT'),
    column('remote', 'BOOLEAN'),
    column('email', 'VARCHAR', { nulls: 4, distinct: 86 }),
  ],
};
const visitas = {
  name: 'visitas',
  origin: 'visitas.csv',
  rowCount: 300,
  notes: [],
  columns: [
    column('id_visita', 'BIGINT', { distinct: 300, identifier: true }),
    column('fecha_visita', 'DATE'),
    column('ciudad', 'VARCHAR', values('Sevilla', 'Cádiz')),
    column('edad', 'BIGINT'),
    column('trimestre', 'BIGINT', { distinct: 3 }),
    column('faltas', 'BIGINT', { minimum: '0', maximum: '5' }),
    column('medico', 'VARCHAR', values('Ruiz', 'Soler')),
    column('duracion_min', 'BIGINT'),
    column('coste', 'DECIMAL(18,2)'),
  ],
};
const tickets = {
  name: 'tickets',
  origin: 'tickets.csv',
  rowCount: 100,
  notes: [],
  columns: [
    column('ticket_no', 'BIGINT', { distinct: 100 }),
    column('opened_at', 'TIMESTAMP'),
    column('closed_at', 'TIMESTAMP', { nulls: 20 }),
    column('customer', 'VARCHAR', values('Orbit', 'Pine')),
    column('reopened', 'BOOLEAN'),
  ],
};
const bookings = {
  name: 'reservas',
  origin: 'reservas.csv',
  rowCount: 100,
  notes: [],
  columns: [
    column('reserva', 'VARCHAR', { distinct: 100 }),
    column('fecha_reserva', 'DATE'),
    column('fecha_entrada', 'DATE'),
    column('precio_noche', 'BIGINT'),
    column('importe_total', 'BIGINT'),
    column('unidad', 'VARCHAR', values('kg', 'pieza')),
    column('precio_unitario', 'BIGINT'),
    column('desayuno', 'BOOLEAN'),
  ],
};
/** The SQL in one line. */
const asked = (table: typeof sales, question: string) =>
  answerSqlTask({ question, dialect: 'DuckDB', tables: [table] }).replace(/\s+/g, ' ');

describe('rows of a file', () => {
  it.each([
    [sales, 'How many orders are there?', 'SELECT count(*) AS n FROM sales'],
    [sales, '¿Cuántos pedidos hay de Spain?', "SELECT count(*) AS n FROM sales WHERE country = 'Spain'"],
    [inventory, 'How many items are there?', 'SELECT count(*) AS n FROM inventory'],
    [inventory, '¿Cuántos artículos hay de Paint?', "SELECT count(*) AS n FROM inventory WHERE category = 'Paint'"],
    [visitas, '¿Cuántas consultas hubo en Cadiz?', "SELECT count(*) AS n FROM visitas WHERE ciudad = 'Cádiz'"],
  ] as const)('are called by what tells them apart: %#', (table, question, written) => {
    expect(asked(table as never, question)).toContain(written);
  });

  it('are not called so where several share it', () => {
    const lines = { ...sales, columns: sales.columns.map((one, i) => (i === 0 ? { ...one, distinct: 200 } : one)) };
    expect(asked(lines as never, '¿Cuántos pedidos hay de Spain?')).toMatch(/^NO ANSWER: /);
  });
});

describe('wordings', () => {
  it.each([
    [
      sales,
      'How much did we sell in Q3 2023?',
      "sum(amount) AS sum_amount FROM sales WHERE order_date >= DATE '2023-07-01'",
    ],
    [sales, 'Please tell me the top 5 customers by revenue', 'rank() OVER (ORDER BY sum(amount) DESC) <= 5'],
    [sales, 'avg amount per order by channel', 'SELECT channel, avg(amount) AS avg_amount FROM sales GROUP BY 1'],
    [
      sales,
      'Total amount shipped in the last month of 2023',
      "ship_date >= DATE '2023-12-01' AND ship_date < DATE '2024-01-01'",
    ],
    [
      sales,
      'How many orders between 10 and 20 March 2024?',
      "order_date >= DATE '2024-03-10' AND order_date < DATE '2024-03-21'",
    ],
    [
      sales,
      '¿Cuántos pedidos hubo entre el 10 y el 20 de marzo de 2024?',
      "order_date >= DATE '2024-03-10' AND order_date < DATE '2024-03-21'",
    ],
    [sales, 'How many orders have a discount of at least 10 percent?', 'WHERE discount_pct >= 10'],
    [
      sales,
      'which country has the fewest returned orders?',
      'count(CASE WHEN returned THEN 1 END) AS n FROM sales WHERE country IS NOT NULL GROUP BY 1',
    ],
    [
      sales,
      'What share of the total amount comes from Spain?',
      "100e0 * sum(CASE WHEN country = 'Spain' THEN amount ELSE 0 END) / sum(amount)",
    ],
    [
      sales,
      'percentage of the total amount by country',
      '100e0 * sum(amount) / sum(sum(amount)) OVER () AS percentage',
    ],
    [
      sales,
      '¿Qué porcentaje de los pedidos hay por channel?',
      '100e0 * count(*) / sum(count(*)) OVER () AS percentage',
    ],
    [sales, 'Compare the total amount of Germany and Spain', "WHERE country IN ('Germany', 'Spain') GROUP BY 1"],
    [inventory, 'How many items have negative stock?', 'WHERE stock < 0'],
    [inventory, '¿Cuántos artículos tienen existencias negativas?', 'WHERE stock < 0'],
    [inventory, 'which items are out of stock?', 'WHERE stock <= 0'],
    [inventory, 'items below their minimum stock', 'WHERE stock < min_stock'],
    [inventory, '¿Qué artículos tienen un stock inferior al stock mínimo?', 'WHERE stock < min_stock'],
    [inventory, 'How many items have no stock figure?', 'WHERE stock IS NULL'],
    [inventory, 'What is the most expensive item?', 'ORDER BY unit_cost DESC'],
    [inventory, 'products without supplier in Paint', "WHERE category = 'Paint' AND supplier IS NULL"],
    [
      staff,
      'Who earns the most?',
      'SELECT * FROM employees WHERE salary IS NOT NULL QUALIFY rank() OVER (ORDER BY salary DESC) <= 1',
    ],
    [staff, 'How many employees left in 2023?', "WHERE leave_date >= DATE '2023-01-01'"],
    [staff, '¿Cuántos empleados fueron contratados en 2020?', "WHERE hire_date >= DATE '2020-01-01'"],
    [staff, 'how many ppl work in Lisbon', "WHERE city = 'Lisbon'"],
    [staff, 'porfa, dime cuantos trabajan en remoto en Lisbon', "WHERE city = 'Lisbon' AND remote"],
    [
      staff,
      'average salary of remote employees vs non-remote',
      'SELECT remote, avg(salary) AS avg_salary FROM employees GROUP BY 1',
    ],
    [staff, '¿Cuántos empleados hay sin correo electrónico?', 'WHERE email IS NULL'],
    [visitas, 'Dime el coste medio de los menores de 18 años en 2023', 'AND age < 18'.replace('age', 'edad')],
    [visitas, '¿Cuántas visitas duraron entre 30 y 45 minutos?', 'WHERE duracion_min BETWEEN 30 AND 45'],
    [visitas, '¿Cuál es la visita más cara y de qué medico?', 'SELECT * FROM visitas WHERE coste IS NOT NULL QUALIFY'],
    [
      visitas,
      '¿Qué medicos no tienen visitas en Sevilla?',
      "HAVING count(CASE WHEN ciudad = 'Sevilla' THEN 1 END) = 0",
    ],
    [sales, '¿Qué clientes no tienen pedidos devueltos?', 'HAVING count(CASE WHEN returned THEN 1 END) = 0'],
    [
      inventory,
      'What is the most expensive product, and of which supplier?',
      'SELECT * FROM inventory WHERE unit_cost IS NOT NULL',
    ],
    [tickets, 'How many tickets did Orbit open in 2024?', "WHERE opened_at >= DATE '2024-01-01'"],
    [tickets, 'what % of tickets were reopened?', 'count(CASE WHEN reopened THEN 1 END)'],
    [bookings, '¿Cuántas entradas hubo en agosto de 2023?', "WHERE fecha_entrada >= DATE '2023-08-01'"],
    [bookings, '¿Qué porcentaje de reservas incluye desayuno?', 'count(CASE WHEN desayuno THEN 1 END)'],
    [visitas, 'coste medio del primer trimestre', 'WHERE trimestre = 1'],
    [visitas, 'los 3 medicos con mas faltas', 'SELECT medico, sum(faltas) AS sum_faltas'],
  ] as const)('are understood: %#', (table, question, written) => {
    expect(asked(table as never, question)).toContain(written);
  });

  it.each([
    // The lowest of the stocks, or that which should be there?
    [inventory, 'What is the minimum stock?'],
    // What one of each would cost.
    [inventory, 'total cost of the items'],
    [sales, 'total discount'],
    // Of their number, or of their amount?
    [sales, 'What percentage of sales is from web?'],
    [sales, 'How many orders that are returned and not returned?'],
    // Opened then, or closed then?
    [tickets, 'How many open tickets in 2024?'],
    // By the price of a night, or by its amount?
    [bookings, 'la reserva más cara'],
    [bookings, 'la reserva más cara y cuándo'],
    [bookings, '¿Cuál es la reserva más cara y de qué unidad?'],
    // Of a kilo, or of a piece?
    [bookings, 'precio unitario medio'],
    // In which unit?
    [visitas, '¿Cuántas visitas duraron más de 2 horas?'],
    // Each row's, or what it is worth?
    [inventory, 'What is the total value of the stock?'],
    [inventory, 'What is the total stock value?'],
    // Of those of the channel, or of all that were returned?
    [sales, 'What percentage of returned orders by channel?'],
    [sales, 'How many orders between 20 and 10 March 2024?'],
    [sales, 'How many orders between 10 and 31 February 2024?'],
  ] as const)('are declined where they are none of these: %#', (table, question) => {
    expect(asked(table as never, question)).toMatch(/^NO ANSWER: /);
  });
});
