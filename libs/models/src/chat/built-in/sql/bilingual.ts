/** Words of tables, columns and values that say the same, so that a question in one language finds names in the other. */

/** Of names. The first of a line stands for all; a word may stand in several lines. */
const NAMES = `
price precio
cost coste costo
amount importe monto amt
amount value valor
revenue ingreso
sale venta
salary sueldo salario wage
unit unidad unitario
quantity cantidad qty
quantity unit unidad
date fecha
customer cliente client cust
product producto prod
category categoria
city ciudad
country pais
department departamento dept
employee empleado empleada worker trabajador trabajadora people ppl persona staff
name nombre
age edad
year ano
month mes
order pedido
purchase compra
salesperson vendedor vendedora seller
weight peso
height altura
width anchura ancho
length longitud
supplier proveedor vendor
store tienda shop
discount descuento
tax impuesto
hour hora
minute minuto
duration duracion duraron dura duran duro lasted last lasts
title titulo
brand marca
model modelo
color colour
temperature temperatura temp
remote remoto remota
precipitation precipitacion
wind viento
genre genero
invoice factura inv
project proyecto
task tarea
channel canal
warehouse almacen
payment pago
method metodo
shipping envio
shipment envio
delivery entrega
rating valoracion puntuacion
review resena opinion
origin origen
weather clima
status estado
type tipo
level nivel
priority prioridad
description descripcion
comment comentario
note nota
reason motivo razon
address direccion
street calle
region zona
province provincia
phone telefono
email correo
company empresa
organization organizacion organisation
branch sucursal
building edificio
floor piso
shift turno
subject asignatura materia
group grupo
absence falta ausencia
insurance seguro
quality calidad
manufacturer fabricante
material materiales
contact contacto
gross bruto bruta
net neto neta
role rol
site sede
office oficina
user usuario usuaria
account cuenta
contract contrato
subscription suscripcion
plan tarifa
ticket incidencia
agent agente
team equipo
member miembro socio
student alumno alumna estudiante
teacher profesor profesora docente
course curso
grade nota calificacion
school escuela colegio
class clase
patient paciente
doctor medico medica
appointment cita
visit visita consulta
treatment tratamiento
diagnosis diagnostico
hospital clinica
room habitacion sala
booking reserva
reservation reserva
guest huesped
hotel alojamiento
flight vuelo
airline aerolinea
airport aeropuerto
passenger pasajero pasajera
vehicle vehiculo
licence license licencia
certification certificacion certificate certificado
car coche
driver conductor conductora
route ruta
trip viaje
parcel package paquete bulto
depot deposito
incident incidencia incidente
fragile fragil
book libro
author autor autora
publisher editorial
library biblioteca
loan prestamo
film pelicula movie
song cancion
artist artista
event evento
machine maquina
sensor dispositivo
device dispositivo
measurement medicion medida
reading lectura
balance saldo
stock existencia inventario inventory
budget presupuesto
expense gasto
profit beneficio
margin margen
bonus bono
fee comision cuota
monthly mensual
interest interes
rate tasa
currency moneda divisa
bank banco
transaction transaccion movimiento
movement movimiento
item articulo
item line linea
article articulo
return devolucion
refund reembolso
campaign campana
lead prospecto
manager jefe jefa gerente responsable
position puesto cargo
job puesto trabajo
gender sexo genero
language idioma lengua
code codigo
tag etiqueta
document documento
file archivo fichero
page pagina
question pregunta
answer respuesta
score puntuacion
point punto
total totales
subtotal subtotal
tier segmento
segment segmento
size talla tamano
season temporada
property propiedad inmueble
tenant inquilino inquilina
owner propietario propietaria dueno
rent alquiler
plant planta
farm granja finca
crop cultivo
meter contador
consumption consumo usage
kwh consumption consumo usage
energy energia
credit credito
limit limite
debt deuda
due vencimiento vence vencen vencieron vencio
leave left leaving baja salida
discontinued descontinuado descontinuada descatalogado descatalogada
returned devuelto devuelta devueltos devueltas devolvieron
urgent urgente
birth nacimiento
birthday nacimiento
capacity capacidad
distance distancia
speed velocidad
population poblacion
area superficie
number num
created creado creada creacion crearon creo
shipped ship enviado enviada envio enviaron
delivered entregado entregada entrega entregaron
paid pagado pagada pagaron
ordered pedido
placed realizado realizada
bought comprado comprada compraron compro compra
renew renewal renovacion renueva renuevan
auto automatic automatico automatica automaticamente automatically
hired hire joined incorporado incorporada incorporaron incorporo contratado contratada contratacion contrataron
issue issued emitido emitida emision emitieron emitio
registered registrado registrada registro alta registraron registro
updated actualizado actualizada actualizacion
closed cerrado cerrada cierre cerraron
opened abierto abierta apertura abrieron
deleted borrado borrada eliminado eliminada
archived archivado archivada
cancelled canceled cancelado cancelada anulado anulada cancelaron anularon
started iniciado iniciada inicio start
ended terminado terminada fin end
signed firmado firmada firma
active activo activa
`;

/** Of values that say a state, for participles and adjectives in the masculine. */
const VALUES = `
shipped enviado enviaron
sent enviado enviaron
delivered entregado entregaron
cancelled canceled void voided cancelado anulado cancelaron anularon
pending pendiente
paid pagado pagaron
unpaid impagado
overdue vencido
returned devuelto devolvieron
refunded reembolsado reembolsaron
active activo
inactive inactivo
open abierto
closed cerrado cerraron
completed complete completado
processing procesando
failed fallido
approved aprobado
rejected rechazado
draft borrador
new nuevo
resolved resuelto
blocked bloqueado
lost perdido perdieron
loaded cargado cargaron
planned planificado planeado
finished terminado finalizado terminaron finalizaron
registered registrado registraron
damaged danado
stolen robado robaron
van furgoneta
truck camion lorry
trailer remolque
delay retraso
theft robo
breakdown averia
suspended suspendido
confirmed confirmado
expired caducado expirado vencido
`;

/** English and Spanish names of countries and their codes. */
const COUNTRIES = `
es spain espana
de germany alemania
fr france francia
it italy italia
pt portugal
gb uk united_kingdom reino_unido great_britain gran_bretana
ie ireland irlanda
nl netherlands paises_bajos holland holanda
be belgium belgica
lu luxembourg luxemburgo
ch switzerland suiza
at austria
pl poland polonia
cz czechia republica_checa
se sweden suecia
no norway noruega
dk denmark dinamarca
fi finland finlandia
gr greece grecia
hu hungary hungria
ro romania rumania
us usa united_states estados_unidos
ca canada
mx mexico
br brazil brasil
ar argentina
cl chile
co colombia
pe peru
uy uruguay
ve venezuela
ec ecuador
cn china
jp japan japon
in india
kr south_korea corea_del_sur
au australia
nz new_zealand nueva_zelanda
tr turkey turquia
ma morocco marruecos
za south_africa sudafrica
ae united_arab_emirates emiratos_arabes_unidos
il israel
eg egypt egipto
`;

const linesOf = (list: string): string[][] =>
  list
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

function groupsOf(list: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const line of linesOf(list)) {
    for (const word of line) groups.set(word, [...(groups.get(word) ?? []), line[0]!]);
  }
  return groups;
}

/** What a word of a name stands for; a word may stand for several. */
export const NAME_GROUPS = groupsOf(NAMES);
export const VALUE_GROUPS = groupsOf(VALUES);

/** The code that the words from `at` on are a country's name of, and how many they are. */
export function countryAt(words: readonly string[], at: number): { code: string; length: number } | undefined {
  for (const [code, ...names] of COUNTRY_LINES) {
    for (const name of names) {
      if (name.every((part, i) => words[at + i] === part)) return { code: code!.join(''), length: name.length };
    }
  }
  return undefined;
}

const COUNTRY_LINES: readonly (readonly string[][])[] = linesOf(COUNTRIES).map((line) =>
  line.map((name) => name.split('_')),
);

/** Whether two texts are names, or name and code, of one country. */
export function sameCountry(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [a.join('_'), b.join('_')];
  return COUNTRY_NAMES.get(one) !== undefined && COUNTRY_NAMES.get(one) === COUNTRY_NAMES.get(other);
}
const COUNTRY_NAMES = new Map(linesOf(COUNTRIES).flatMap((line) => line.map((name) => [name, line[0]!] as const)));

export const isCountry = (words: readonly string[]): boolean => COUNTRY_NAMES.has(words.join('_'));
