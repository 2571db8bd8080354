/**
 * Words that office documents and their readers use for the same thing, in English and Spanish.
 *
 * Each line is one idea. It lets "annual leave" answer a question about vacation, and a Spanish message reach a tool
 * that was declared in English. It is no thesaurus: a word is here only where taking it for its neighbours is safe.
 */
import type { Language } from './language';
import { fold, stem } from './words';

const IDEAS = `
vacation holiday pto vacaciones
price cost fee charge precio coste costo tarifa importe cuesta vale
pay payment paid salary wage remuneration pago pagar abonar salario sueldo nomina
phone telephone mobile telefono movil
probation trial prueba
end terminate termination finish expire expiry expiration terminar finalizar vencer vencimiento rescindir rescision resolver extinguir
begin start commence effective empezar comenzar iniciar inicio
resign resignation quit dimitir dimision renunciar
dismiss dismissal fire despedir despido
found founded establish established creation fundar fundada fundacion constituida
remote telework teleworking homeworking teletrabajo teletrabajar remoto distancia
notice preaviso aviso
last duration length dura durar duracion
deadline due plazo vence limite
weight weigh peso pesa pesar
size dimensions measure tamano medidas dimensiones mide
sick illness ill disease enfermedad enfermo enfermar
refund reimburse reimbursement reembolso reembolsar devolver devolucion
return returned devolver devolucion
warranty guarantee garantia
repair fix reparar reparacion arreglar
clean cleaning wash limpiar limpieza lavar
fine penalty penalizacion multa sancion
law jurisdiction court ley jurisdiccion tribunales juzgados
confidential confidentiality confidencial confidencialidad
child children baby birth maternity paternity parental hijo hijos nacimiento maternidad paternidad
working work labour job trabajo trabajar laboral jornada
hour hours schedule timetable hora horas horario
weekly week semana semanal
monthly month mes meses mensual
yearly annual annually year ano anual anuales anualmente
daily day dia diario
weather forecast temperature tiempo clima pronostico temperatura
email mail correo
send deliver enviar envia manda mandar envio
delivery shipping shipment envio entrega
create add new make crear crea anade anadir nuevo nueva
delete remove cancel borrar borra eliminar elimina cancelar cancela
update change modify edit actualizar actualiza cambiar cambia modificar
order purchase pedido orden compra
buy purchase comprar compra
sell sale sales vender venta ventas
invoice bill factura facturar
customer client buyer cliente comprador
supplier vendor seller proveedor vendedor
product item article producto articulo
meeting appointment event reunion cita evento
calendar agenda calendario
reminder recordatorio recordar recuerdame
task todo tarea
ticket issue incident incidencia incidente
user account usuario cuenta
city town location place ciudad localidad lugar ubicacion
country pais
address direccion domicilio
flight vuelo vuelos
hotel room habitacion
book reserve booking reservation reservar reserva
translate translation traducir traduce traduccion
language idioma lengua
calculate compute calculation calcular calcula calculo
sum add sumar suma
multiply multiplicar multiplica
convert conversion convertir convierte
currency exchange moneda divisa
amount quantity total cantidad importe monto
stock inventory existencias inventario
search look query buscar busca busqueda
date day fecha
color colour
title subject titulo asunto
priority urgency prioridad urgencia
status state estado
percent percentage rate porcentaje tasa
discount descuento
age years edad
name called nombre llamado llamada
message note mensaje nota
people guests persons attendees personas invitados asistentes comensales
departure origin leaving salida origen
destination arrival destino llegada
restaurant table restaurante mesa
translate traduce
transfer send money transferir transferencia transfiere
balance saldo
file document archivo fichero documento
owner proprietor propietario dueno
tenant lessee renter arrendatario inquilino
landlord lessor arrendador casero
rent lease alquiler arrendamiento renta
deposit bond fianza deposito
voltage power voltaje tension potencia
battery bateria
min minimum minimo minima
max maximum maximo maxima
high alto alta
low bajo baja
medium normal medio media
urgent urgente
open abierto abierta abiertos abiertas
closed cerrado cerrada cerrados cerradas
pending pendiente pendientes
active activo activa activos activas
red rojo roja
green verde
blue azul
black negro negra
white blanco blanca
small pequeno pequena
large big grande
celsius centigrade centigrados
km kilometre kilometres kilometer kilometers kilometro kilometros
mile miles milla millas
kg kilogram kilograms kilo kilos
usd dollar dollars dolar dolares
eur euro euros
gbp pound pounds libra libras
store storage stored almacenar almacenamiento guardar
lose lost loss perder perdida perdido pierde pierdo
keep kept conservar conserva
build built construir construido construida
buy bought
send sent
sell sold
leave left
write written wrote escribir escrito
hold held
choose chosen elegir elige elegido
drive driving driver conducir conductor
width wide ancho anchura
height tall high alto altura
night nights noche noches
adult adults adulto adultos
`;

const ideasByStem: Record<Language, ReadonlyMap<string, readonly number[]>> = { en: index('en'), es: index('es') };

function index(language: Language): ReadonlyMap<string, readonly number[]> {
  const ideas = new Map<string, number[]>();
  IDEAS.trim()
    .split('\n')
    .forEach((line, idea) => {
      for (const word of line.split(' ')) {
        const key = stem(word, language);
        ideas.set(key, [...(ideas.get(key) ?? []), idea]);
      }
    });
  return ideas;
}

/** The ideas that a stem of this language stands for; most words stand for none. */
export const ideasOf = (stemmed: string, language: Language): readonly number[] =>
  ideasByStem[language].get(stemmed) ?? [];

/** The same of a word among others: "annual leave" is vacation, other leave is not. */
export function ideasAt(words: readonly string[], i: number, stemmed: string, language: Language): readonly number[] {
  const isVacation = words[i] === 'leave' && words[i - 1] === 'annual';
  return isVacation ? ideasOf(stem('vacation', 'en'), 'en') : ideasOf(stemmed, language);
}

const LINES = IDEAS.trim()
  .split('\n')
  .map((line) => line.split(' '));

/** Other words for what a word means, in both languages, folded; none for most. */
export function otherWordsFor(word: string): readonly string[] {
  const folded = fold(word);
  const ideas = new Set([...ideasOf(stem(folded, 'en'), 'en'), ...ideasOf(stem(folded, 'es'), 'es')]);
  const words = new Set([...ideas].flatMap((idea) => LINES[idea]!));
  words.delete(folded);
  return [...words];
}
