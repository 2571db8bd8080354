/**
 * What schemas call things, and how people say it: names in the other language, and the abbreviations that columns have.
 * A line is one thing. It only decides which tables a model is told of, so a word may be here that is right most of the
 * time; what the built-in model takes for the same is a stricter list of its own (`otherWordsFor`).
 */
const THINGS = `
  customer client buyer cust clte clients cliente comprador
  supplier vendor provider proveedor vend
  employee staff worker personnel emp empl empleado trabajador plantilla personal
  manager boss supervisor jefe responsable encargado director gerente
  department dept departamento depto area seccion division
  company firm business enterprise empresa compania sociedad razon
  branch office sucursal oficina delegacion sede
  shop store outlet tienda local comercio
  warehouse depot almacen deposito bodega wh
  stock inventory existencias inventario onhand
  movement transaction movimiento entrada salida mov
  product item article good sku prod art producto articulo referencia
  category cat family type kind categoria familia tipo clase
  brand marca
  order purchase pedido orden ord
  line detail item position linea detalle renglon partida
  invoice bill inv factura fra facturacion
  receipt ticket recibo
  delivery shipment shipping dispatch envio entrega albaran expedicion
  payment pago cobro
  price cost rate precio coste tarifa importe
  amount total value sum amt importe monto total valor
  revenue sales turnover income ingreso venta facturacion
  sell sold sale vender vendido venta
  quantity qty units count number cantidad unidad cant uds
  discount rebate descuento dto
  tax vat iva impuesto tributo
  profit margin beneficio margen ganancia
  expense spending gasto
  budget presupuesto
  account cuenta acct cta
  salary wage pay earning salario sueldo nomina paga cobra gana
  hire hired joined contratado contratacion alta incorporacion
  date day fecha dia dt
  year ano ejercicio
  month mes
  created creado creacion
  city town ciudad localidad poblacion municipio
  region area zone region zona
  province state provincia estado
  country nation pais
  address direccion domicilio addr
  phone telephone tel telefono movil
  email mail correo
  name nombre denominacion nom
  surname lastname apellido
  description desc descripcion observacion
  note comment remark nota comentario observacion
  status state estado situacion
  segment group segmento grupo
  team group equipo grupo
  channel canal
  campaign campana
  lead prospect opportunity oportunidad prospecto
  contract agreement contrato acuerdo
  project proyecto
  task tarea
  ticket incident issue case request incidencia incidente solicitud reclamacion
  complaint claim reclamacion queja
  return refund devolucion reembolso
  rating score satisfaction review valoracion puntuacion satisfaccion opinion
  priority urgency prioridad urgencia
  user usuario login
  role permission rol permiso
  language idioma lengua
  currency divisa moneda
  weight peso
  capacity capacidad aforo
  machine equipment maquina equipo
  vehicle vehiculo coche camion
  driver conductor
  route ruta
  trip journey viaje trayecto
  flight vuelo
  hotel hotel alojamiento
  room habitacion sala
  booking reservation reserva
  guest huesped
  patient paciente
  doctor physician medico
  appointment visit cita visita
  student pupil alumno estudiante
  teacher professor profesor docente
  course curso asignatura
  enrolment enrollment matricula inscripcion
  grade mark nota calificacion
  school colegio escuela centro
  book libro
  author autor
  loan prestamo
  member socio miembro
  policy poliza
  claim siniestro
  insurance seguro
  property inmueble propiedad
  tenant inquilino
  rent alquiler
  sensor sensor sonda
  measurement reading medida medicion lectura
  production manufacturing produccion fabricacion
  component part componente pieza
  absence leave ausencia baja
  holiday vacation vacaciones
  shift turno
  training formacion
  event evento
  web site web sitio
  session sesion
  visit visita
  old archive archived historic history historico archivo antiguo
  parent padre
  child hijo
  scholarship grant beca ayuda
  fee tuition tasa cuota
  sponsor patrocinador
  exam test examen prueba
  faculty facultad
  degree grado carrera titulacion
  subject asignatura materia
  classroom aula
  building edificio
  floor planta piso
  library biblioteca
  nurse enfermero enfermera
  surgery cirugia operacion
  diagnosis diagnostico
  prescription receta
  drug medicine medicamento farmaco
  ship vessel barco buque
  port harbour puerto
  container contenedor
  cargo load carga
  crop harvest cultivo cosecha
  farm finca granja
  plot field parcela campo
  meter contador
  consumption usage consumo
  energy power energia
  water agua
  waste residuo merma
  citizen resident ciudadano habitante
  permit licence license licencia permiso
  fine penalty multa sancion
  court juzgado tribunal
  file dossier expediente
  ledger mayor contabilidad
  entry journal asiento apunte
  bank banco
  card tarjeta
  transfer transferencia
  balance saldo
  debt deuda
  interest interes
  asset activo inmovilizado
  depreciation amortizacion
  candidate applicant candidato aspirante
  vacancy opening vacante
  interview entrevista
  skill habilidad competencia
  survey poll encuesta
  answer reply respuesta
  question pregunta
  subscription suscripcion abono
  subscriber suscriptor abonado
  device dispositivo aparato
  alarm alert alarma alerta aviso
  failure fault breakdown averia fallo
  repair maintenance reparacion mantenimiento
  spare recambio repuesto
  tool herramienta
  batch lot lote
  ingredient ingrediente
  gift regalo
  coupon voucher cupon vale
  basket cart cesta carrito
  player jugador
  match game partido
  song track cancion
  artist artista
  film movie pelicula
  seat asiento butaca plaza
`;

const LINES = THINGS.trim()
  .split('\n')
  .map((line) => [...new Set(line.trim().split(' '))]);

const byWord = new Map<string, string[]>();
for (const line of LINES) {
  for (const word of line) {
    byWord.set(word, [...(byWord.get(word) ?? []), ...line.filter((other) => other !== word)]);
  }
}

/** Other words for a word, folded and without its plural. */
export function schemaWordsFor(word: string): readonly string[] {
  const found = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')].flatMap(
    (form) => byWord.get(form) ?? [],
  );
  return [...new Set(found)];
}
