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
});
