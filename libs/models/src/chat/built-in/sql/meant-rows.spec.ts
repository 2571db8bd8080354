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
  expect(asked('How many employees are remote?', employees).said).not.toContain('NOTE');
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
