import type { Passage } from './passages';
import { quotePassages } from './quote-passages';

const HANDBOOK_EN: Passage[] = [
  {
    mark: 'VACA',
    text: `# Employee Handbook

## Vacation

Employees in Spain receive 25 working days of paid vacation each calendar year. Unused days may be carried over until 31 March of the following year. Requests must be sent to the line manager at least three weeks in advance.

## Sick leave

If you are ill, tell your manager before 10 a.m. on the first day. A medical certificate is required from the third day of absence.`,
  },
  {
    mark: 'PROB',
    text: `## Joining the company

The trial period lasts six months for graduates and two months for all other staff. During this time either side may end the contract without notice.

New employees get a laptop, a badge and a desk on their first day. Ms. Clara Whitfield from People Operations welcomes them at 9:30 a.m.`,
  },
  {
    mark: 'EXPN',
    text: `## Travel and expenses

Receipts must be uploaded within 30 days of the trip. The following can be claimed:

- Train tickets in second class
- Hotel nights up to 140 euros
- Meals up to 45 euros a day

Alcohol is never reimbursed.

| Country | Daily allowance | Hotel limit |
| --- | --- | --- |
| France | 58 EUR | 150 EUR |
| Germany | 52 EUR | 135 EUR |
| Portugal | 41 EUR | 110 EUR |`,
  },
  {
    mark: 'REMO',
    text: `## Remote work

Staff may work from home up to three days a week, after agreeing it with their team. Remote work from outside the European Union is not permitted for tax reasons.`,
  },
];

const MANUAL_EN: Passage[] = [
  {
    mark: 'SPEC',
    text: `# BrewMaster 300 coffee machine

## Technical data

| Property | Value |
| --- | --- |
| Water tank | 1.8 litres |
| Weight | 6.4 kg |
| Voltage | 220-240 V |
| Pump pressure | 15 bar |`,
  },
  {
    mark: 'CLEA',
    text: `## Descaling

Descale the machine every two months or after 200 cups. To start the descaling programme:

1. Empty the drip tray and the water tank.
2. Pour the descaling solution into the tank.
3. Hold the steam button for five seconds until it blinks.

Never use vinegar, because it damages the seals.`,
  },
  {
    mark: 'WARR',
    text: `## Warranty

The manufacturer guarantees the machine for 24 months from the date of purchase. The warranty does not cover damage caused by limescale. Repairs are carried out only by authorised workshops; the list is at www.example.com/workshops.`,
  },
  {
    mark: 'LEDS',
    text: `## Lights

A red light means that the water tank is empty. A blinking orange light means that the machine has to be descaled. This does not stop the machine from working.`,
  },
];

const MANUAL_ES: Passage[] = [
  {
    mark: 'VACS',
    text: `# Manual del empleado

## Vacaciones

La plantilla de la oficina de Madrid dispone de 23 días laborables de vacaciones al año. Las vacaciones no disfrutadas caducan el 31 de enero del año siguiente. La solicitud se hace en el portal con quince días de antelación.

## Bajas por enfermedad

En caso de enfermedad, avise a su responsable antes de las 9:00. El parte médico debe entregarse en un plazo máximo de tres días.`,
  },
  {
    mark: 'TELE',
    text: `## Teletrabajo

Se puede teletrabajar dos días por semana. La empresa abona 35 euros al mes en concepto de gastos de luz e Internet. El Sr. Ortega, responsable de Personas, autoriza las excepciones.`,
  },
  {
    mark: 'FORM',
    text: `## Formación

Cada persona cuenta con un presupuesto anual de formación de 1.200 euros. Los cursos de idiomas se imparten los martes y jueves en la sala Ágora.

| Nivel | Duración | Coste |
| --- | --- | --- |
| Inicial | 40 horas | 300 € |
| Avanzado | 60 horas | 480 € |`,
  },
];

const CONTRACT_ES: Passage[] = [
  {
    mark: 'OBJE',
    text: `CONTRATO DE ARRENDAMIENTO

REUNIDOS

De una parte, Dña. Lucía Ferrán Soto, en adelante la arrendadora. De otra parte, la sociedad Talleres Norte, S.L., en adelante la arrendataria.

PRIMERA. Objeto

La arrendadora cede en alquiler el local sito en la calle Olmo, núm. 14, de Zaragoza.`,
  },
  {
    mark: 'DURA',
    text: `SEGUNDA. Duración

El contrato tendrá una duración de cinco años a contar desde el 1 de febrero de 2023. Se prorrogará por periodos anuales salvo preaviso de dos meses.`,
  },
  {
    mark: 'RENT',
    text: `TERCERA. Renta

La renta mensual es de 950 euros, que se pagarán dentro de los cinco primeros días de cada mes. La fianza equivale a dos mensualidades. El retraso en el pago devengará una penalización del 1,5 % mensual.

CUARTA. Gastos

Los gastos de comunidad corren por cuenta de la arrendadora. Los suministros de agua y electricidad son de cargo de la arrendataria.`,
  },
  {
    mark: 'LEYE',
    text: 'QUINTA. Ley aplicable\n\nLas partes se someten a los juzgados de Zaragoza y a la ley española.',
  },
];

const CONTRACT_EN: Passage[] = [
  {
    mark: 'TERM',
    text: `4. Term and termination

This agreement starts on 1 July 2024 and ends on 30 June 2027. Either party may terminate it with ninety days' written notice. In case of material breach, the other party may terminate it immediately.`,
  },
  {
    mark: 'FEES',
    text: `5. Fees

The client pays a monthly fee of EUR 4,800, invoiced on the last working day of the month. Invoices are due within 45 days. Late payments bear interest of 8% per year.`,
  },
  {
    mark: 'CONF',
    text: `6. Confidentiality

"Confidential Information" means any information that a party marks as such. The duty of confidentiality survives for five years after the end of this agreement.

7. Liability

The provider's liability is limited to the fees paid in the last twelve months.`,
  },
];

/** passages · question · what the answer must contain · the mark of its first quote */
const ANSWERED: [string, Passage[], string, RegExp, string][] = [
  ['handbook', HANDBOOK_EN, 'How many vacation days do employees in Spain get?', /25 working days/, 'VACA'],
  ['handbook', HANDBOOK_EN, 'Until when can I carry over unused vacation days?', /31 March/, 'VACA'],
  ['handbook', HANDBOOK_EN, 'When do I need a medical certificate?', /third day/, 'VACA'],
  ['handbook', HANDBOOK_EN, 'How long is the probation period for graduates?', /six months/, 'PROB'],
  ['handbook', HANDBOOK_EN, 'Who welcomes new employees?', /Clara Whitfield/, 'PROB'],
  ['handbook', HANDBOOK_EN, 'What is the daily allowance in Germany?', /Germany.*52 EUR/, 'EXPN'],
  ['handbook', HANDBOOK_EN, 'what expenses can be claimed?', /Train tickets/, 'EXPN'],
  ['handbook', HANDBOOK_EN, 'Is alcohol reimbursed?', /never/, 'EXPN'],
  ['handbook', HANDBOOK_EN, 'How many days a week can I work from home?', /three days a week/, 'REMO'],
  ['handbook', HANDBOOK_EN, 'Can I work remotely from outside the European Union?', /not permitted/, 'REMO'],
  ['manual', MANUAL_EN, 'How much does the BrewMaster 300 weigh?', /6\.4 kg/, 'SPEC'],
  ['manual', MANUAL_EN, 'What is the capacity of the water tank?', /1\.8 litres/, 'SPEC'],
  ['manual', MANUAL_EN, 'How do I start the descaling programme?', /steam button/, 'CLEA'],
  ['manual', MANUAL_EN, 'How often should I descale the machine?', /every two months/, 'CLEA'],
  ['manual', MANUAL_EN, 'Can I use vinegar?', /Never use vinegar/, 'CLEA'],
  ['manual', MANUAL_EN, 'How long is the warranty?', /24 months/, 'WARR'],
  ['manual', MANUAL_EN, 'What does a red light mean?', /tank is empty/, 'LEDS'],
  ['contract', CONTRACT_EN, 'When does the agreement end?', /30 June 2027/, 'TERM'],
  ['contract', CONTRACT_EN, 'What is the notice period for termination?', /ninety days/, 'TERM'],
  ['contract', CONTRACT_EN, 'How much is the monthly fee?', /4,800/, 'FEES'],
  ['contract', CONTRACT_EN, 'What is Confidential Information?', /marks as such/, 'CONF'],
  ['contract', CONTRACT_EN, "What is the provider's liability limited to?", /last twelve months/, 'CONF'],
  ['manual es', MANUAL_ES, '¿Cuántos días de vacaciones tengo en Madrid?', /23 días/, 'VACS'],
  ['manual es', MANUAL_ES, 'cuando caducan las vacaciones no disfrutadas', /31 de enero/, 'VACS'],
  ['manual es', MANUAL_ES, '¿En qué plazo debo entregar el parte médico?', /tres días/, 'VACS'],
  ['manual es', MANUAL_ES, '¿Cuánto paga la empresa por los gastos de Internet?', /35 euros/, 'TELE'],
  ['manual es', MANUAL_ES, '¿Quién autoriza las excepciones?', /Sr\. Ortega/, 'TELE'],
  ['manual es', MANUAL_ES, '¿Cuál es el presupuesto de formación?', /1\.200 euros/, 'FORM'],
  ['manual es', MANUAL_ES, '¿Cuánto cuesta el nivel avanzado?', /Avanzado.*480/, 'FORM'],
  ['manual es', MANUAL_ES, '¿Cuántos días a la semana se puede teletrabajar?', /dos días por semana/, 'TELE'],
  ['contrato', CONTRACT_ES, '¿Cuánto dura el contrato?', /cinco años/, 'DURA'],
  ['contrato', CONTRACT_ES, '¿De cuánto es la renta mensual?', /950 euros/, 'RENT'],
  ['contrato', CONTRACT_ES, '¿Quién es la arrendadora?', /Lucía Ferrán/, 'OBJE'],
  ['contrato', CONTRACT_ES, '¿Quién paga los gastos de comunidad?', /arrendadora/, 'RENT'],
  ['contrato', CONTRACT_ES, '¿Dónde está el local?', /calle Olmo, núm\. 14/, 'OBJE'],
  ['contrato', CONTRACT_ES, '¿Qué tribunales son competentes?', /juzgados de Zaragoza/, 'LEYE'],
  ['contrato', CONTRACT_ES, '¿Qué penalización hay por retraso en el pago?', /1,5 %/, 'RENT'],
];

const DECLINED: [string, Passage[], string][] = [
  [
    'contract',
    CONTRACT_EN,
    'Does the Kowalski agreement bear interest on late payments of monthly fees by the client?',
  ],
  ['handbook', HANDBOOK_EN, 'how many working days of paid vacation do employees receive each calendar year in japan'],
  ['handbook', HANDBOOK_EN, 'How many vacation days do employees in Japan get?'],
  ['handbook', HANDBOOK_EN, 'how many vacation days do employees in japan get'],
  ['handbook', HANDBOOK_EN, 'What is the vacation policy in Portugal?'],
  ['handbook', HANDBOOK_EN, 'What is the daily allowance in Italy?'],
  ['handbook', HANDBOOK_EN, 'Does the company offer dental insurance?'],
  ['handbook', HANDBOOK_EN, 'How many sick days are paid?'],
  ['handbook', HANDBOOK_EN, 'What is the dress code?'],
  ['handbook', HANDBOOK_EN, 'Who is the chief executive officer?'],
  ['handbook', HANDBOOK_EN, 'Who won the 2018 World Cup?'],
  ['manual', MANUAL_EN, 'How much does the BrewMaster 500 weigh?'],
  ['manual', MANUAL_EN, 'How much does the machine cost?'],
  ['manual', MANUAL_EN, 'What does a green light mean?'],
  ['manual', MANUAL_EN, 'How do I connect it to Bluetooth?'],
  ['contract', CONTRACT_EN, 'Who signed the agreement for the client?'],
  ['contract', CONTRACT_EN, 'What is the governing law?'],
  ['contract', CONTRACT_EN, 'How much is the signing bonus?'],
  ['manual es', MANUAL_ES, '¿Cuántos días de vacaciones hay en la oficina de Lisboa?'],
  ['manual es', MANUAL_ES, '¿Cuántos días de permiso hay por matrimonio?'],
  ['manual es', MANUAL_ES, '¿Cuál es la capital de Francia?'],
  ['manual es', MANUAL_ES, '¿Ofrece la empresa seguro dental?'],
  ['contrato', CONTRACT_ES, '¿Cuánto cuesta el aparcamiento?'],
  ['contrato', CONTRACT_ES, '¿Se permite tener animales en el local?'],
  ['contrato', CONTRACT_ES, '¿Cuál es el número de cuenta de la arrendadora?'],
  ['nothing', [], 'How long is the warranty?'],
];

/** Written after the rules were settled on the texts above. */
const passages = (...texts: string[]): Passage[] => texts.map((text, i) => ({ text, mark: `M${i}` }));

const GYM = passages(
  `# Membership terms

The Riverside Sports Centre opens from 6 a.m. to 11 p.m. on weekdays and from 8 a.m. to 9 p.m. at weekends. Members must be at least 16 years old.

## Fees

The standard membership costs 39 pounds a month. Students pay 25 pounds. A joining fee of 20 pounds is charged once.

## Cancelling

Members can cancel their membership at any time with 30 days' notice. Cancellations must be made in writing to the front desk. No refund is given for months already paid.`,
  `## Lockers and equipment

Lockers are emptied every night at closing time. Towels can be rented for 2 pounds. The centre is not responsible for lost valuables.

The swimming pool is 25 metres long and has six lanes. The water temperature is kept at 27 degrees. Children under 8 must be accompanied by an adult.`,
  `## Contact

Manager: Helen Osei
Phone: 020 7946 0123
Email: desk@riverside.example
Address: 14 Mill Lane, Reading`,
);
const SEC = passages(
  `# Information security policy

Passwords must have at least 14 characters and be changed every 180 days. Two-factor authentication is mandatory for all remote access.

Lost devices have to be reported to the help desk within two hours. The help desk can be reached at extension 4411.`,
  `## Data classes

| Class | Example | Storage | Retention |
|---|---|---|---|
| Public | Press releases | Anywhere | Unlimited |
| Internal | Meeting notes | Company drives | 3 years |
| Confidential | Salaries | Encrypted drives | 7 years |

Confidential data may never be sent by e-mail without encryption.`,
  `## Backups

Backups run every night at 02:00 and are kept for 90 days. A restore test takes place each quarter. The infrastructure team, led by Omar Haddad, is responsible for backups.`,
);
const VIAJE = passages(
  `# Condiciones del viaje

El viaje a Lisboa sale el 12 de mayo a las 7:30 desde la estación de autobuses de Sevilla. El precio por persona es de 310 euros, con alojamiento y desayuno incluidos. Los almuerzos no están incluidos.

## Anulaciones

Si el cliente anula el viaje con más de 15 días de antelación, se le devuelve el 80 % del importe. Con menos de 48 horas no hay devolución.`,
  `## Equipaje

Cada viajero puede llevar una maleta de hasta 20 kg y un bulto de mano. El equipaje adicional cuesta 15 euros por bulto.

## Seguro

El seguro de asistencia médica está incluido y cubre gastos de hasta 30.000 euros. No cubre los deportes de riesgo.`,
  `## Hotel

El grupo se aloja en el hotel Miradouro, de tres estrellas, situado en la rua da Rosa. La habitación individual tiene un suplemento de 95 euros. La guía se llama Beatriz Paiva y su teléfono es el 600 123 456.`,
);
const LAV = passages(
  `# Lavadora Nieve 700

## Datos técnicos

- Capacidad: 8 kg
- Velocidad de centrifugado: 1400 rpm
- Consumo de agua: 48 litros por ciclo
- Peso: 71 kg

## Programas

| Programa | Temperatura | Duración |
|---|---|---|
| Algodón | 60 °C | 150 min |
| Lana | 30 °C | 45 min |
| Rápido | 30 °C | 15 min |`,
  `## Averías

El código E3 indica que la puerta no está bien cerrada. El código E5 indica que el filtro está obstruido. Para limpiar el filtro, gire la tapa hacia la izquierda y retire los restos.

La garantía cubre tres años desde la fecha de compra, siempre que se conserve la factura.`,
);
const UNI = passages(
  `# Library rules

Undergraduates may borrow up to ten books for three weeks. Postgraduates may borrow twenty books for six weeks. Loans can be renewed twice online unless another reader has reserved the item.

Overdue books are charged at 20 cents per day. Lost items must be replaced at the reader's expense.`,
  `## Opening hours

The reading room is open from Monday to Saturday, 8:30 to 22:00. It closes on public holidays. During exams it stays open until midnight.

## Printing

Printing costs 5 cents per page in black and white and 15 cents in colour. Print credit is bought at the machine in the lobby.`,
  `## Quiet areas

Phones must be silent on the second floor. Group rooms can be booked by e-mail at rooms@library.example for at most two hours. Food is forbidden; drinks in closed bottles are tolerated.`,
);
const INS = passages(
  `HOME INSURANCE – SUMMARY

What is insured

Damage to your belongings by fire, burst pipes and storms is insured up to 60,000 dollars. Jewellery is insured up to 5,000 dollars per item. Bicycles are covered only inside the locked house.

What is not insured

We do not pay for damage caused by earthquakes, war or mould. Damage caused by pets is excluded.`,
  `How to claim

Report any damage within seven days by calling 0800 555 010. Burglary must be reported to the police first. An assessor, appointed by Norvik Mutual, visits you within five working days.

The excess is 250 dollars for each claim. Premiums rise by 4% every January.`,
);
const ORD = passages(
  `# Ordenanza municipal de ruidos

## Horarios

Las obras en la vía pública se realizarán entre las 8:00 y las 20:00 en días laborables. Queda prohibido el uso de maquinaria los domingos y festivos.

## Sanciones

Las infracciones leves se sancionan con multa de hasta 600 euros. Las infracciones graves se castigan con multas de 601 a 3.000 euros. El pago en los quince días siguientes reduce la multa a la mitad.`,
  `## Locales de ocio

Los bares cerrarán a la 1:30 de la madrugada. Las terrazas pueden abrir hasta las 23:30 de domingo a jueves. El nivel máximo de ruido es de 45 decibelios durante la noche.

## Denuncias

Cualquier vecino puede presentar una denuncia en el registro del ayuntamiento o llamando al 092. La policía local mide el ruido con un sonómetro homologado.`,
);
const REC = passages(`# Piscina climatizada

El abono mensual cuesta 32 euros y el trimestral 85. Los mayores de 65 años disfrutan de un descuento del 50 %. El gorro de baño es obligatorio.

## Cursos

| Curso | Día | Monitor | Plazas |
|---|---|---|---|
| Iniciación | Lunes | Marta Rey | 12 |
| Aquagym | Miércoles | Iván Sanz | 20 |
| Bebés | Sábado | Marta Rey | 8 |

La inscripción se abre el 1 de septiembre en la recepción.`);

const MORE_ANSWERED: [Passage[], string, RegExp][] = [
  [GYM, 'What time does the centre open on weekdays?', /6 a\.m\./],
  [GYM, 'How old do you have to be to join?', /16 years/],
  [GYM, 'How much do students pay?', /25 pounds/],
  [GYM, 'How much is the joining fee?', /20 pounds/],
  [GYM, 'How can I cancel my membership?', /in writing|30 days/],
  [GYM, 'Is there a refund if I cancel?', /No refund/],
  [GYM, 'How long is the pool?', /25 metres/],
  [GYM, 'What is the water temperature?', /27 degrees/],
  [GYM, 'Who is the manager?', /Helen Osei/],
  [GYM, 'What is the phone number?', /020 7946/],
  [GYM, 'Can I rent a towel?', /2 pounds/],
  [GYM, 'when are lockers emptied', /every night/],
  [SEC, 'How long must passwords be?', /14 characters/],
  [SEC, 'How often must passwords be changed?', /180 days/],
  [SEC, 'Who is responsible for backups?', /Omar Haddad/],
  [SEC, 'How long are backups kept?', /90 days/],
  [SEC, 'Where do I store confidential data?', /Encrypted drives/],
  [SEC, 'What is the retention of internal data?', /3 years/],
  [SEC, 'What should I do if I lose a device?', /help desk/],
  [SEC, 'Is two-factor authentication required?', /mandatory/],
  [SEC, 'What is the extension of the help desk?', /4411/],
  [VIAJE, '¿A qué hora sale el viaje?', /7:30/],
  [VIAJE, '¿Cuánto cuesta el viaje por persona?', /310 euros/],
  [VIAJE, '¿Está incluido el desayuno?', /desayuno incluidos/],
  [VIAJE, '¿Qué pasa si anulo el viaje con 20 días de antelación?', /80 %/],
  [VIAJE, '¿Cuánto puede pesar la maleta?', /20 kg/],
  [VIAJE, '¿Qué cubre el seguro?', /30\.000|asistencia/],
  [VIAJE, '¿En qué hotel nos alojamos?', /Miradouro/],
  [VIAJE, '¿Cómo se llama la guía?', /Beatriz Paiva/],
  [VIAJE, '¿Cuál es el suplemento de la habitación individual?', /95 euros/],
  [VIAJE, '¿Cubre el seguro deportes de riesgo?', /No cubre/],
  [LAV, '¿Cuántos kilos puede lavar la Nieve 700?', /8 kg/],
  [LAV, '¿Qué significa el código E5?', /filtro está obstruido/],
  [LAV, '¿Cuánto dura el programa de lana?', /45 min/],
  [LAV, '¿Cuántos años de garantía tiene?', /tres años/],
  [LAV, '¿Cómo se limpia el filtro?', /gire la tapa/],
  [LAV, '¿Cuánta agua consume?', /48 litros/],
  [LAV, '¿A qué temperatura se lava el algodón?', /60 °C/],

  [UNI, 'How many books can undergraduates borrow?', /ten books/],

  [UNI, 'How often can I renew a loan?', /twice/],
  [UNI, 'What is the charge for overdue books?', /20 cents/],
  [UNI, 'When is the reading room open?', /8:30/],
  [UNI, 'How much does colour printing cost?', /15 cents/],
  [UNI, 'Where do I buy print credit?', /lobby/],

  [UNI, 'How do I book a group room?', /rooms@library/],
  [UNI, 'What happens if I lose a book?', /replaced/],
  [INS, 'Up to how much is jewellery insured?', /5,000/],
  [INS, 'Are bicycles covered?', /locked house/],
  [INS, 'Does the insurance pay for earthquakes?', /do not pay/],
  [INS, 'How soon must I report damage?', /seven days/],
  [INS, 'What is the excess?', /250/],
  [INS, 'Who appoints the assessor?', /Norvik/],
  [INS, 'When do premiums rise?', /January/],

  [ORD, '¿A qué hora cierran los bares?', /1:30/],
  [ORD, '¿Cuál es la multa por una infracción grave?', /3\.000/],
  [ORD, '¿Cuál es el nivel máximo de ruido por la noche?', /45/],
  [ORD, '¿Se puede usar maquinaria los domingos?', /prohibido/],
  [ORD, '¿Cómo se presenta una denuncia?', /registro/],
  [ORD, '¿Quién mide el ruido?', /policía local/],
  [ORD, '¿Hasta qué hora pueden abrir las terrazas?', /23:30/],
  [ORD, '¿Cuándo se pueden hacer obras?', /8:00/],
  [REC, '¿Cuánto cuesta el abono mensual?', /32 euros/],
  [REC, '¿Qué descuento tienen los mayores de 65 años?', /50 %/],
  [REC, '¿Quién es el monitor de aquagym?', /Iván Sanz/],
  [REC, '¿Cuántas plazas hay en el curso de bebés?', /Plazas: 8/],
  [REC, '¿Cuándo se abre la inscripción?', /1 de septiembre/],
  [REC, '¿Es obligatorio el gorro?', /obligatorio/],
];

const MORE_DECLINED: [Passage[], string][] = [
  [GYM, 'How much does a family membership cost?'],
  [GYM, 'Is there a sauna?'],
  [GYM, 'How many members does the centre have?'],
  [GYM, 'Who is the owner of the centre?'],
  [GYM, 'When was the centre founded?'],
  [GYM, 'How much is parking?'],
  [GYM, 'What are the fees in Manchester?'],
  [SEC, 'What is the retention of secret data?'],
  [SEC, 'How many employees work in the infrastructure team?'],
  [SEC, 'Which antivirus must be installed?'],
  [SEC, 'Can I use a USB stick?'],
  [SEC, 'What is the budget of the help desk?'],
  [SEC, 'What happened at Microsoft?'],
  [VIAJE, '¿Cuánto cuesta el viaje a Oporto?'],
  [VIAJE, '¿Se admiten perros?'],
  [VIAJE, '¿Cuántas plazas hay en el autobús?'],
  [VIAJE, '¿A qué hora se vuelve?'],
  [VIAJE, '¿Hay descuento para niños?'],
  [VIAJE, '¿Quién es el conductor?'],
  [LAV, '¿Qué significa el código E9?'],
  [LAV, '¿Cuánto cuesta la lavadora?'],
  [LAV, '¿Cuánto dura el programa de seda?'],
  [LAV, '¿Dónde se fabrica?'],
  [LAV, '¿Qué detergente debo usar?'],

  [UNI, 'How many computers does the library have?'],
  [UNI, 'Who is the librarian?'],
  [UNI, 'How much is a library card?'],
  [UNI, 'Can I borrow films?'],
  [UNI, 'What are the rules in Oxford?'],
  [INS, 'Is flood damage insured?'],

  [INS, 'When does the policy expire?'],
  [INS, 'Is my car insured?'],
  [INS, 'What is the address of Norvik Mutual?'],
  [ORD, '¿Cuál es la multa por aparcar mal?'],
  [ORD, '¿A qué hora cierran las discotecas?'],
  [ORD, '¿Quién es el alcalde?'],
  [ORD, '¿Cuál es la multa por infracciones muy graves en Valencia?'],
  [REC, '¿Cuánto cuesta el abono anual?'],
  [REC, '¿Hay sauna?'],
  [REC, '¿Quién es el monitor de yoga?'],
  [REC, '¿Cuál es el teléfono de la recepción?'],
];

const said = (question: string, passages: Passage[]) =>
  quotePassages(question, passages)
    .map(({ text }) => text)
    .join(' | ');

describe('Answering from passages', () => {
  it.each(ANSWERED)('%#: the %s answers', (_, passages, question, expected, mark) => {
    const quotes = quotePassages(question, passages);
    expect(`${question} → ${quotes.map(({ text }) => text).join(' | ')}`).toMatch(expected);
    expect(quotes.map((quote) => quote.mark)).toContain(mark);
  });

  it.each(DECLINED)('%#: the %s does not answer', (_, passages, question) => {
    expect(`${question} → ${said(question, passages)}`).toBe(`${question} → `);
  });

  it.each(MORE_ANSWERED)('%#: more texts answer', (texts, question, expected) => {
    expect(`${question} → ${said(question, texts)}`).toMatch(expected);
  });

  it.each(MORE_DECLINED)('%#: more texts do not answer', (texts, question) => {
    expect(`${question} → ${said(question, texts)}`).toBe(`${question} → `);
  });

  it('declines rather than guesses where only knowledge of the world would help', () => {
    expect(said('Can I eat in the library?', UNI)).toBe('');
    expect(said('Is damage by my dog covered?', INS)).toBe('');
  });

  it('says an item of a list without its sign and a row by the names of its columns', () => {
    const [row] = quotePassages('What is the daily allowance in Germany?', HANDBOOK_EN);
    expect(row.text).toBe('Country: Germany; Daily allowance: 52 EUR; Hotel limit: 135 EUR');
    const [step] = quotePassages('How do I hold the steam button?', MANUAL_EN);
    expect(step.text).toBe('Hold the steam button for five seconds until it blinks.');
  });

  it('does not put a sentence under the heading of another section', () => {
    const text = '## Vacation\n\nAsk your manager.\n\n## Sick leave\n\nUp to 10 days are paid in full.';
    expect(said('How many vacation days are paid?', [{ text }])).toBe('');
    expect(said('How many sick days are paid?', [{ text }])).toContain('10 days');
    const leave = [{ text: 'Staff get 20 days of annual leave.' }];
    expect(said('How many vacation days do I get?', leave)).toContain('20 days');
  });

  it('tells what a document is about when the whole of it is asked for', () => {
    expect(said('Summarise the document', CONTRACT_EN)).toContain('starts on 1 July 2024');
    expect(said('¿De qué trata este documento?', VIAJE)).toContain('El viaje a Lisboa');
  });

  it('finds headings underlined in plain text and keeps abbreviations whole', () => {
    const text = 'Garantía\n========\n\nLa cubre el Sr. Gil durante 2 años, p. ej. en casa.\n\n---\n\nOtra cosa.';
    expect(said('¿Cuánto dura la garantía?', [{ text }])).toBe('La cubre el Sr. Gil durante 2 años, p. ej. en casa.');
  });
});
