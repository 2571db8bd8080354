/** Which rows a question means: words that look like conditions and are none, and conditions that look like nothing. */
import type { SqlColumn, SqlTable } from '../../sql-task';
import { answerSqlTask } from './answer-sql-task';

const column = (name: string, type: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  ...more,
});
const values = (...all: string[]) => ({ values: all.map((value) => ({ value })) });
const id = column('id', 'integer', { identifier: true, nullable: false });
const key = (name: string) => column(name, 'integer', { identifier: true, nullable: false });
const table = (name: string, columns: SqlColumn[], more: Partial<SqlTable> = {}): SqlTable => ({
  name,
  origin: `public.${name}`,
  notes: [],
  columns,
  primaryKey: ['id'],
  foreignKeys: [],
  ...more,
});
const to = (name: string, other: string) => ({ columns: [name], table: other, references: ['id'] });

const orders = table('orders', [id, column('ordered_at', 'timestamp'), column('status', 'text', values('paid'))]);
const employees = table('employees', [
  id,
  column('name', 'text'),
  column('hire_date', 'date', { nullable: false }),
  column('termination_date', 'date'),
  column('is_remote', 'boolean'),
]);
const patients = table('patients', [
  id,
  column('name', 'text'),
  column('sex', 'text', values('female', 'male')),
  column('insurance', 'text', values('Acme', 'Orbis')),
]);
const appointments = table('appointments', [id, key('patient_id'), column('scheduled_at', 'timestamp')], {
  foreignKeys: [to('patient_id', 'patients')],
});
const articles = table('articulos', [
  id,
  column('nombre', 'text'),
  column('existencias', 'integer'),
  column('precio', 'numeric(8,2)'),
  column('fecha_alta', 'date'),
]);
const movements = table(
  'movimientos',
  [id, key('articulo_id'), column('fecha', 'date'), column('tipo', 'text', values('entrada', 'salida'))],
  { foreignKeys: [to('articulo_id', 'articulos')] },
);

const asked = (question: string, ...tables: SqlTable[]) => {
  const said = answerSqlTask({ question, dialect: 'PostgreSQL', tables });
  const statement = /```sql\n([^]*?)\n```/.exec(said)?.[1]?.replace(/\s+/g, ' ');
  return { said, statement };
};

it('takes a noun for rows, where a date is called by its verb', () => {
  const grouped = asked('¿Cuántos pedidos hay por estado?', orders);
  expect(grouped.statement).toBe('SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status');
  expect(asked('¿Cuántos pedidos hay?', orders).said).toBe('```sql\nSELECT count(*) AS n\nFROM orders\n```');
});

it('counts what has befallen only those whose date is set', () => {
  const { said, statement } = asked('How many employees were terminated?', employees);
  expect(statement).toBe('SELECT count(*) AS n FROM employees WHERE termination_date IS NOT NULL');
  expect(said).toContain('NOTE: It counts as done where employees.termination_date has a date.');
  expect(asked('How many employees were not terminated?', employees).statement).toContain('termination_date IS NULL');
  expect(asked('How many employees were hired each year?', employees).statement).not.toContain('IS NOT NULL');
});

it('says that a no leaves out what is unknown', () => {
  const { said } = asked('How many employees are not remote?', employees);
  expect(said).toContain('NOTE: Rows without a value in employees.is_remote are not counted.');
  expect(asked('How many employees are remote?', employees).said).not.toContain('not counted');
});

it('counts those who have something, not the different things', () => {
  for (const question of ['How many patients have insurance?', 'How many patients with insurance?'])
    expect(asked(question, patients).statement).toBe('SELECT count(*) AS n FROM patients WHERE insurance IS NOT NULL');
  expect(asked('What percentage of patients have insurance?', patients).statement).toContain(
    '100e0 * count(CASE WHEN insurance IS NOT NULL THEN 1 END) / count(*)',
  );
  expect(asked('How many insurances?', patients).statement).toContain('count(DISTINCT insurance)');
});

it('counts the rows that are asked for, not those by which they are found', () => {
  const tables = [patients, appointments];
  expect(asked('How many female patients with appointments in June 2025?', ...tables).statement).toContain(
    'count(DISTINCT a.patient_id)',
  );
  expect(asked('How many appointments of female patients in June 2025?', ...tables).statement).toContain('count(*)');
});

it('takes a stock of nothing for none', () => {
  const { said, statement } = asked('¿Cuántos artículos no tienen existencias?', articles);
  expect(statement).toContain('WHERE (existencias IS NULL OR existencias = 0)');
  expect(said).toContain('NOTE: Se han tomado como «sin» las filas en que articulos.existencias es 0');
  expect(asked('¿Cuántos artículos no tienen precio?', articles).statement).toContain('WHERE precio IS NULL');
});

it('takes a word for what is called so before it takes it for any rows', () => {
  const { statement } = asked('¿Cuántas entradas hubo en marzo de 2025?', articles, movements);
  expect(statement).toContain("FROM movimientos WHERE fecha >= DATE '2025-03-01'");
  expect(statement).toContain("tipo = 'entrada'");
});

it('says which number it took for the name of a row', () => {
  const { said } = asked('¿Cuál es el precio del artículo 7?', articles);
  expect(said).toContain('NOTE: El número se ha entendido como articulos.id, no como parte de un nombre.');
});

describe('what a question leaves open', () => {
  const products = table('products', [id, column('name', 'text'), column('price', 'numeric(8,2)')]);
  const sold = table('orders', [
    id,
    key('customer_id'),
    column('ordered_at', 'timestamp'),
    column('status', 'text', values('paid', 'cancelled', 'shipped')),
  ]);
  const lines = table(
    'order_items',
    [id, key('order_id'), key('product_id'), column('quantity', 'integer'), column('unit_price', 'numeric(8,2)')],
    { foreignKeys: [to('order_id', 'orders'), to('product_id', 'products')] },
  );
  const customers = table('customers', [id, column('name', 'text'), column('city', 'text', values('Vigo', 'Lugo'))]);
  const shop = [products, { ...sold, foreignKeys: [to('customer_id', 'customers')] }, lines, customers];

  it('is told of sums over the lines of what may be cancelled', () => {
    const note = 'NOTE: Rows are counted whatever orders.status says.';
    expect(asked('What is the total revenue?', ...shop).said).toContain(note);
    expect(asked('Total quantity', ...shop).said).toContain(note);
    expect(asked('Total quantity of paid orders', ...shop).said).not.toContain(note);
  });

  it('is told where a date is not that of the state', () => {
    const said = (question: string) => asked(question, ...shop).said;
    expect(said('How many orders were shipped in January 2025?')).toContain(
      'NOTE: Dates are those of orders.ordered_at.',
    );
    expect(said('How many orders in January 2025?')).not.toContain('NOTE: Dates are');
  });

  it('is declined where both of two or either may be meant', () => {
    expect(asked('How many customers bought product 2 and product 3?', ...shop).said).toMatch(/^NO ANSWER: /);
    expect(asked('How many customers bought product 2?', ...shop).statement).toContain('WHERE p.id = 2');
    expect(asked('How many customers have paid and cancelled orders?', ...shop).said).toMatch(/^NO ANSWER: /);
    expect(asked('How many customers from Vigo and Lugo have orders?', ...shop).statement).toContain(
      "c.city IN ('Vigo', 'Lugo')",
    );
  });

  it('is declined where others are counted than are asked for', () => {
    const named = [{ ...products, columns: [...products.columns, column('kind', 'text', values('Books', 'Toys'))] }];
    expect(asked('How many books did customers from Vigo buy?', ...named, ...shop.slice(1)).said).toMatch(
      /^NO ANSWER: /,
    );
    expect(asked('How many customers from Vigo bought books?', ...named, ...shop.slice(1)).statement).toContain(
      "p.kind = 'Books'",
    );
  });

  it('is told of those who left, and declined of those who did not', () => {
    expect(asked('How many employees are there?', employees).said).toContain(
      'NOTE: Rows are counted whatever employees.termination_date says.',
    );
    expect(asked('How many employees were terminated?', employees).said).not.toContain('whatever');
    for (const question of ['How many employees are still employed?', '¿Cuántos empleados trabajan todavía?'])
      expect(asked(question, employees).said).toMatch(/^NO ANSWER: /);
    expect(asked('How many employees were hired and terminated in 2021?', employees).said).toMatch(/^NO ANSWER: /);
  });

  it('is not filled from whatever table has a date', () => {
    expect(asked('How many records in March 2025?', ...shop).said).toMatch(/^NO ANSWER: /);
    expect(asked('How many records in March 2025?', orders).statement).toContain('FROM orders');
    expect(asked('How many cities do we have customers in?', ...shop).statement).toBe(
      'SELECT count(DISTINCT city) AS n FROM customers',
    );
  });
});

it('counts those who have one of another table, not those that such a row leads to', () => {
  const departments = table('departments', [id, column('name', 'text'), key('manager_id')], {
    foreignKeys: [to('manager_id', 'employees')],
  });
  const staff = table('employees', [id, column('name', 'text'), column('department_id', 'integer')], {
    foreignKeys: [to('department_id', 'departments')],
  });
  expect(asked('How many employees have a department?', departments, staff).statement).toBe(
    'SELECT count(*) AS n FROM employees WHERE department_id IS NOT NULL',
  );
});

it('takes who is enrolled in something for an enrollment, not for a date of theirs', () => {
  const students = table('students', [id, column('name', 'text'), column('enrolled_on', 'date')]);
  const courses = table('courses', [id, column('title', 'text', values('Math', 'Art'))]);
  const enrollments = table('enrollments', [id, key('student_id'), key('course_id')], {
    foreignKeys: [to('student_id', 'students'), to('course_id', 'courses')],
  });
  const all = [students, courses, enrollments];
  expect(asked('How many students are enrolled in Math?', ...all).statement).not.toContain('enrolled_on');
  expect(asked('How many students enrolled in 2023?', ...all).statement).toContain("enrolled_on >= DATE '2023-01-01'");
});

describe('rows that are not what is counted', () => {
  const staff = table('employees', [
    id,
    column('name', 'text'),
    column('job', 'text', values('Clerk', 'Manager')),
    column('manager_id', 'integer'),
  ]);
  const people = { ...staff, foreignKeys: [to('manager_id', 'employees')] };
  const salaries = table('salaries', [id, key('employee_id'), column('amount', 'numeric(8,2)')], {
    foreignKeys: [to('employee_id', 'employees')],
  });
  const visits = table(
    'appointments',
    [id, key('patient_id'), column('status', 'text', values('cancelled', 'completed'))],
    { foreignKeys: [to('patient_id', 'patients')] },
  );

  it.each(['How many managers are there?', 'How many employees per manager?'])(
    'are not counted in their place: %s',
    (question) => {
      expect(asked(question, people, salaries).statement ?? '').not.toMatch(/count\(.*FROM salaries/);
    },
  );

  it('have somebody, where a job is called the same', () => {
    expect(asked('How many employees have a manager?', people, salaries).statement).toBe(
      'SELECT count(*) AS n FROM employees WHERE manager_id IS NOT NULL',
    );
  });

  it.each(['How many patients have no cancelled appointments?', 'How many patients have only cancelled appointments?'])(
    'are not told by one of theirs: %s',
    (question) => {
      expect(asked(question, patients, visits).said).toMatch(/^NO ANSWER: /);
      expect(asked('How many patients have cancelled appointments?', patients, visits).statement).toContain(
        "WHERE status = 'cancelled'",
      );
    },
  );

  it('are not those of a year and all after it', () => {
    expect(asked('Orders from 2024', orders).said).toMatch(/^NO ANSWER: /);
    expect(asked('Orders from 2024 to 2025', orders).statement).toContain("ordered_at >= DATE '2024-01-01'");
    expect(asked('¿Cuántos pedidos hay desde 2024?', orders).statement).toContain("ordered_at >= DATE '2024-01-01'");
  });
});

describe('amounts in cents', () => {
  const invoices = table('invoices', [
    id,
    column('total_cents', 'bigint'),
    column('state', 'text', values('open', 'paid', 'void')),
  ]);
  const contracts = table('contracts', [id, column('monthly_fee_cents', 'bigint'), column('auto_renew', 'boolean')]);
  const CENTS = 'NOTE: Numbers of invoices.total_cents are cents, in the question too.';

  it('are called by their names, and said to be cents', () => {
    const { said, statement } = asked('Invoices with a total over 500', invoices);
    expect(statement).toContain('WHERE total_cents > 500');
    expect(said).toContain(CENTS);
    expect(asked('Total amount of paid invoices', invoices).statement).toBe(
      "SELECT sum(total_cents) AS sum_total_cents FROM invoices WHERE state = 'paid'",
    );
    expect(asked('Importe total de las facturas', invoices).said).toContain('son céntimos');
    expect(asked('¿Cuál es la cuota mensual media de los contratos?', contracts).statement).toContain(
      'avg(monthly_fee_cents)',
    );
  });

  it('of invoices that are void are not added up without a word', () => {
    expect(asked('Total amount of invoices', invoices).said).toContain('whatever invoices.state says');
  });
});

it.each([
  ['¿Cuántos paquetes frágiles se entregaron?', "WHERE status = 'delivered' AND fragile"],
  ['¿Cuántos paquetes se perdieron?', "WHERE status = 'lost'"],
  ['How many packages were lost?', "WHERE status = 'lost'"],
])('things are found by their names in the other language: %s', (question, condition) => {
  const parcels = table('parcels', [
    id,
    column('fragile', 'boolean', { nullable: false }),
    column('status', 'text', values('delivered', 'lost')),
  ]);
  expect(asked(question, parcels).statement).toBe(`SELECT count(*) AS n FROM parcels ${condition}`);
});

it('takes no state for another that it excludes in any case', () => {
  const parcels = table('parcels', [id, column('status', 'text', values('registered', 'delivered', 'lost'))]);
  for (const question of [
    'How many parcels were registered but not delivered?',
    'Paquetes perdidos que no se entregaron',
  ])
    expect([question, asked(question, parcels).said]).toEqual([question, expect.stringMatching(/^NO ANSWER: /)]);
  expect(asked('How many parcels were not delivered?', parcels).statement).toContain("status <> 'delivered'");
});

it('says that what has a date may be still to come', () => {
  const contracts = table('contracts', [id, column('ends_on', 'date')]);
  const { said, statement } = asked('How many contracts have ended?', contracts);
  expect(statement).toBe('SELECT count(*) AS n FROM contracts WHERE ends_on IS NOT NULL');
  expect(said).toContain('NOTE: It counts as done where contracts.ends_on has a date.');
});
