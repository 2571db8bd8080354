/** A second schema among 500 tables of other matters: what was tried on one might only be good for that one. */
import { DECOYS } from '../../../../../test/support/nasty-database';
import type { Catalog, CatalogTable } from './catalog';
import { nameTables } from './describe-catalog';
import { RelevantTables } from './relevant-tables';

/** `table(column, column>table it refers to) comment` */
const SCHEMA = `
  alumno(dni, nombre, apellidos, fecha_nacimiento, email, beca) Students
  profesor(id, nombre, despacho, categoria, salario_bruto, depto_id>depto)
  depto(id, denominacion, edificio_id>edificio)
  edificio(id, nombre, campus, num_plantas)
  asignatura(codigo, titulo, creditos, curso, grado_id>grado)
  grado(id, titulo, facultad) Carreras universitarias
  matricula(id, alumno_dni>alumno, asignatura_codigo>asignatura, anio_academico, nota) Course enrolments and marks
  docencia(profesor_id>profesor, asignatura_codigo>asignatura, horas)
  aula(id, edificio_id>edificio, plazas, tiene_proyector)
  reserva_aula(id, aula_id>aula, profesor_id>profesor, inicio, fin)
  LibraryBook(isbn, title, author_id>author, copies, shelf)
  author(id, full_name, born_in)
  LibraryLoan(id, isbn>LibraryBook, alumno_dni>alumno, taken_on, returned_on)
  tuition_fee(id, alumno_dni>alumno, amount, due_on, paid_on)
  scholarship(id, name, amount_year, sponsor)
  scholarship_award(scholarship_id>scholarship, alumno_dni>alumno, awarded_on)
  emp(empno, ename, job, hiredate, sal, comm) Administrative staff
  vehiculo(matricula, marca, modelo, km) Coches de la universidad
  trip(id, vehiculo_matricula>vehiculo, driver_empno>emp, started_at, km_driven)
  lab_equipment(id, descr, purchased_on, cost, aula_id>aula)
  maintenance_visit(id, lab_equipment_id>lab_equipment, visited_on, technician, outcome)
  publication(id, title, journal, published_year, doi)
  publication_author(publication_id>publication, profesor_id>profesor, position)
  exam(id, asignatura_codigo>asignatura, held_at, aula_id>aula)
  complaint(id, alumno_dni>alumno, raised_at, topic, resolved_at)
`;

const tableOf = (name: string, columns: readonly string[], comment?: string): CatalogTable => {
  const [parts, keys] = [
    columns.map((column) => column.trim().split('>')),
    columns.map((column) => column.split('>')[1]),
  ];
  return {
    schema: 'public',
    name,
    kind: 'table',
    ...(comment && { comment }),
    columns: parts.map(([column]) => ({ name: column!, type: 'text', nullable: true })),
    primaryKey: [parts[0]![0]!],
    foreignKeys: parts.flatMap(([column], i) =>
      keys[i] ? [{ columns: [column!], schema: 'public', table: keys[i].trim(), references: ['id'] }] : [],
    ),
  };
};

const university = SCHEMA.trim()
  .split('\n')
  .map((line) => /^\s*(\w+)\((.*)\)\s*(.*)$/.exec(line)!)
  .map(([, name, columns, comment]) => tableOf(name!, columns!.split(','), comment));
const decoys = DECOYS.map((name, i) =>
  tableOf(name, ['id', 'status', 'amount', ['city', 'title', 'started_at', 'nota', 'cost'][i % 5]!]),
);

const QUESTIONS: readonly (readonly [string, ...string[]])[] = [
  ['How many students have a scholarship?', 'alumno', 'scholarship_award'],
  ['What is the average mark per course?', 'matricula', 'asignatura'],
  ['Which professors teach more than 200 hours?', 'profesor', 'docencia'],
  ['How many books were lent in May?', 'LibraryLoan', 'LibraryBook'],
  ['Which students have not returned their books?', 'alumno', 'LibraryLoan'],
  ['Who wrote the most books in the library?', 'author', 'LibraryBook'],
  ['How much tuition is still unpaid?', 'tuition_fee'],
  ['How many classrooms does each building have?', 'aula', 'edificio'],
  ['How many seats are there in rooms with a projector?', 'aula'],
  ['Which cars were driven the most kilometres?', 'vehiculo', 'trip'],
  ['What did the laboratory equipment cost in total?', 'lab_equipment'],
  ['How many maintenance visits failed?', 'maintenance_visit'],
  ['How many papers did each department publish?', 'publication', 'publication_author', 'profesor', 'depto'],
  ['How many complaints are unresolved?', 'complaint'],
  ['What is the average salary of the administrative staff?', 'emp'],
  ['¿Cuántos alumnos hay matriculados en cada grado?', 'matricula', 'asignatura', 'grado'],
  ['¿Qué profesores trabajan en cada departamento?', 'profesor', 'depto'],
  ['¿Cuál es la nota media de los alumnos con beca?', 'alumno', 'matricula'],
  ['¿Cuántos libros hay de cada autor?', 'LibraryBook', 'author'],
  ['¿Qué préstamos de la biblioteca siguen sin devolver?', 'LibraryLoan'],
  ['¿Cuántos exámenes hay en cada aula?', 'exam', 'aula'],
  ['¿Cuánto cuesta el equipo de laboratorio por edificio?', 'lab_equipment', 'aula', 'edificio'],
  ['¿Cuántas quejas presentaron los estudiantes en 2024?', 'complaint', 'alumno'],
  ['¿Qué empleados condujeron los coches?', 'emp', 'trip', 'vehiculo'],
  ['¿Cuántas publicaciones tiene cada profesor?', 'publication_author', 'profesor'],
  ['¿Cuál es el importe total de las becas por patrocinador?', 'scholarship'],
  ['¿Cuántos créditos tiene cada asignatura?', 'asignatura'],
  ['¿Qué tasas de matrícula vencen en septiembre?', 'tuition_fee'],
  ['¿Cuántas reservas tiene cada aula?', 'reserva_aula', 'aula'],
  ['¿Cuántos viajes hizo cada vehículo?', 'trip', 'vehiculo'],
];

it('finds among 525 tables those that a question needs, for 95 % of the questions', async () => {
  const catalog: Catalog = {
    product: 'PostgreSQL 15.20',
    timeZone: 'UTC',
    schemas: ['public'],
    tables: [...decoys, ...university].sort((one, other) => (one.name < other.name ? -1 : 1)),
    routines: [],
    truncated: false,
  };
  const relevance = new RelevantTables();
  const named = nameTables(catalog, 'PostgreSQL');
  const missed: string[] = [];
  for (const [question, ...needs] of QUESTIONS) {
    const { tables } = await relevance.choose(question, named, new AbortController().signal);
    const names = tables.map(({ table }) => table.name);
    const absent = needs.filter((name) => !names.includes(name));
    if (absent.length > 0) missed.push(`${question} ${absent.join(', ')}`);
  }
  expect(missed).toEqual([]);
});
