/** A clinic, in Spanish: appointments of patients with doctors, their specialities, invoices and payments. */
import { columns, dice, type Row, type TableOf } from './schema';

const d = dice(11);
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));

const especialidades: Row[] = ['Cardiología', 'Pediatría', 'Dermatología', 'Traumatología'].map((nombre, i) => ({
  id: i + 1,
  nombre,
}));
const medicos: Row[] = 'Lucía Gómez,Marta Núñez,Óscar Díaz,Pablo Ruiz,Sara Gil,Iván Peña,Elena Soto,Hugo Vidal'
  .split(',')
  .map((nombre, i) => ({
    id: i + 1,
    nombre,
    especialidad_id: d.int(1, 4),
    fecha_alta: d.day('2010-01-01', '2022-12-31'),
    activo: d.chance(0.8),
  }));
const pacientes: Row[] = many(60, (id) => ({
  id,
  nombre: d.pick(['Ana', 'Luis', 'Eva', 'Juan', 'Rosa', 'Raúl']),
  apellidos: `${d.pick(['García', 'López', 'Martín', 'Sanz'])} ${id}`,
  provincia: d.pick(['Sevilla', 'Madrid', 'Bilbao', 'Valencia']),
  sexo: d.pick(['H', 'M']),
  fecha_nacimiento: d.day('1940-01-01', '2015-12-31'),
  aseguradora: d.chance(0.8) ? d.pick(['Salus', 'Vitalis', 'Sanamed']) : null,
}));
const citas: Row[] = many(260, (id) => ({
  id,
  paciente_id: d.int(1, 55),
  medico_id: d.int(1, 8),
  fecha_hora: `${d.day('2023-01-01', '2024-12-31')} ${String(d.int(8, 19)).padStart(2, '0')}:00:00`,
  estado: d.pick(['pendiente', 'realizada', 'realizada', 'anulada', 'no presentada']),
  duracion: d.pick([15, 20, 30, 45]),
  importe: d.money(30, 180),
}));
const facturas: Row[] = many(120, (id) => ({
  id,
  cita_id: d.int(1, 260),
  fecha_emision: d.day('2023-01-05', '2025-01-15'),
  total: d.money(30, 300),
  pagada: d.chance(0.7),
}));
const recetas: Row[] = many(90, (id) => ({
  id,
  cita_id: d.int(1, 260),
  medicamento: d.pick(['Ibuprofeno', 'Amoxicilina', 'Paracetamol', 'Omeprazol']),
  unidades: d.int(1, 3),
}));

export const clinicRows = { especialidades, medicos, pacientes, citas, facturas, recetas };

export const clinic: TableOf[] = [
  { name: 'especialidades', key: ['id'], rows: especialidades, columns: columns('int id\ntext nombre') },
  {
    name: 'medicos',
    key: ['id'],
    rows: medicos,
    columns: columns(`int id
      text nombre
      int especialidad_id -> especialidades.id
      date fecha_alta
      bool activo`),
  },
  {
    name: 'pacientes',
    key: ['id'],
    rows: pacientes,
    columns: columns(`int id
      text nombre
      text apellidos
      text provincia
      enum(H, M) sexo
      date fecha_nacimiento
      text aseguradora?`),
  },
  {
    name: 'citas',
    key: ['id'],
    rows: citas,
    columns: columns(`int id
      int paciente_id -> pacientes.id
      int medico_id -> medicos.id
      timestamp fecha_hora
      enum(pendiente, realizada, anulada, no presentada) estado
      int duracion # Duración en minutos
      decimal importe`),
  },
  {
    name: 'facturas',
    key: ['id'],
    rows: facturas,
    columns: columns(`int id
      int cita_id -> citas.id
      date fecha_emision
      decimal total
      bool pagada`),
  },
  {
    name: 'recetas',
    key: ['id'],
    rows: recetas,
    columns: columns(`int id
      int cita_id -> citas.id
      text medicamento
      int unidades`),
  },
];
