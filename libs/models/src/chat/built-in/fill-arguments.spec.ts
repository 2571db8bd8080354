import { todayIn } from './dates';
import { fillArguments } from './fill-arguments';
import { languageOf } from './language';

type Properties = Record<string, unknown>;

const object = (properties: Properties, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const date = { type: 'string', format: 'date' };
const today = todayIn("Today's date is 2025-03-10.");

const fill = (schema: unknown, text: string) => fillArguments(schema, text, { language: languageOf(text), today });

const UNITS = { type: 'string', enum: ['celsius', 'fahrenheit'] };
const PRIORITY = { type: 'string', enum: ['low', 'medium', 'high'] };

const FILLED: [string, unknown, string, unknown][] = [
  ['a place behind "in"', object({ city: string }), 'What is the weather in Paris?', { city: 'Paris' }],
  [
    'a place in lower case',
    object({ location: string }),
    'weather in new york tomorrow please',
    { location: 'new york' },
  ],
  ['a place in Spanish', object({ ciudad: string }), '¿Qué tiempo hace en Las Palmas?', { ciudad: 'Las Palmas' }],
  [
    'an enumerated value',
    object({ city: string, unit: UNITS }),
    'Temperature in Oslo in celsius',
    { city: 'Oslo', unit: 'celsius' },
  ],
  [
    'an enumerated value said in Spanish',
    object({ title: string, priority: PRIORITY }),
    'Crea una tarea llamada "Revisar nóminas" con prioridad alta',
    { title: 'Revisar nóminas', priority: 'high' },
  ],
  ['an optional value left out', object({ city: string, unit: UNITS }, ['city']), 'Weather in Rome', { city: 'Rome' }],
  ['two numbers in order', object({ a: number, b: number }), 'Add 12.5 and 7', { a: 12.5, b: 7 }],
  [
    'numbers by the words before them',
    object({ width: number, height: number }),
    'height 20, width 10',
    { width: 10, height: 20 },
  ],
  [
    'numbers by the units after them',
    object({ adults: integer, children: integer }),
    'A room for 2 adults and 3 children',
    { adults: 2, children: 3 },
  ],
  [
    'units in the other order',
    object({ adults: integer, children: integer }),
    '3 children and 2 adults',
    { adults: 2, children: 3 },
  ],
  ['number words', object({ nights: integer }), 'We stay twenty-five nights', { nights: 25 }],
  ['Spanish number words', object({ noches: integer }), 'Nos quedamos treinta y dos noches', { noches: 32 }],
  ['English thousands', object({ amount: number }), 'Transfer $1,250.75', { amount: 1250.75 }],
  ['Spanish thousands', object({ importe: number }), 'Transfiere un importe de 1.250,75 €', { importe: 1250.75 }],
  ['a negative number', object({ temperature: number }), 'Set the temperature to -5 degrees', { temperature: -5 }],
  ['a scaled number', object({ budget: number }), 'The budget is 3 million', { budget: 3_000_000 }],
  [
    'money among other numbers',
    object({ quantity: integer, price: number }),
    'Order 3 boxes, price 19.99 each',
    { quantity: 3, price: 19.99 },
  ],
  [
    'an integer beside a fraction',
    object({ count: integer, weight: number }),
    'weight 2.5 kg, count 4',
    { count: 4, weight: 2.5 },
  ],
  [
    'numbers inside bounds',
    object({ rating: { type: 'integer', minimum: 1, maximum: 5 } }),
    'Of 200 reviews give it a 4',
    { rating: 4 },
  ],
  ['an ISO date', object({ date }), 'Book it for 2025-06-01', { date: '2025-06-01' }],
  ['a day-first date', object({ date }), 'on 03/04/2025', { date: '2025-04-03' }],
  ['an English date in words', object({ date }), 'on March 5th, 2026', { date: '2026-03-05' }],
  ['a Spanish date in words', object({ fecha: date }), 'el 5 de marzo de 2026', { fecha: '2026-03-05' }],
  ['a date without a year', object({ fecha: date }), 'para el 7 de abril', { fecha: '2025-04-07' }],
  ['tomorrow', object({ date }), 'Remind me tomorrow', { date: '2025-03-11' }],
  [
    'a period',
    object({ start_date: date, end_date: date }),
    'Vacation from 1 July 2025 to 15 July 2025',
    { start_date: '2025-07-01', end_date: '2025-07-15' },
  ],
  [
    'a period in the other order',
    object({ end_date: date, start_date: date }),
    'del 01/07/2025 al 15/07/2025',
    { end_date: '2025-07-15', start_date: '2025-07-01' },
  ],
  [
    'a date and a time',
    object({ date, time: string }),
    'Meeting on 2025-05-20 at 3:30 pm',
    { date: '2025-05-20', time: '15:30' },
  ],
  [
    'a moment',
    object({ start: { type: 'string', format: 'date-time' } }),
    'Start 2025-05-20 09:15',
    { start: '2025-05-20T09:15:00Z' },
  ],
  [
    'an address of mail',
    object({ to: { type: 'string', description: 'Recipient email address' }, subject: string }),
    'Send an email to ana@example.com with subject "Hello"',
    { to: 'ana@example.com', subject: 'Hello' },
  ],
  [
    'a web address',
    object({ url: string }),
    'Please read https://example.com/a?b=1.',
    { url: 'https://example.com/a?b=1' },
  ],
  ['a code', object({ order_id: string }), 'Where is my order ORD-12345?', { order_id: 'ORD-12345' }],
  ['a code of digits', object({ order_id: string }), '¿Dónde está mi pedido 98765?', { order_id: '98765' }],
  [
    'two quotations in order',
    object({ title: string, text: string }),
    'Save "Shopping" with the text "milk and eggs"',
    { title: 'Shopping', text: 'milk and eggs' },
  ],
  [
    'origin and destination',
    object({ origin: string, destination: string }),
    'Flights from Madrid to London',
    { origin: 'Madrid', destination: 'London' },
  ],
  [
    'origin and destination in the other order',
    object({ origen: string, destino: string }),
    'Vuelos a Londres desde Madrid',
    { origen: 'Madrid', destino: 'Londres' },
  ],
  [
    'a person',
    object({ customer: string, amount: number }),
    'Create an invoice for customer Acme Corp of 300 euros',
    { customer: 'Acme Corp', amount: 300 },
  ],
  ['a switch', object({ breakfast: boolean }), 'A room with breakfast', { breakfast: true }],
  [
    'a switch denied',
    object({ breakfast: boolean, city: string }),
    'A room in Lugo without breakfast',
    { breakfast: false, city: 'Lugo' },
  ],
  [
    'labels',
    object({ name: string, age: integer, active: boolean }),
    'name: Ana Ruiz\nage: 41\nactive: yes',
    { name: 'Ana Ruiz', age: 41, active: true },
  ],
  [
    'a list of numbers',
    object({ numbers: { type: 'array', items: number } }),
    'Average of 3, 5.5 and 10',
    { numbers: [3, 5.5, 10] },
  ],
  [
    'a list of choices',
    object({ toppings: { type: 'array', items: { type: 'string', enum: ['cheese', 'ham', 'olives'] } } }),
    'Pizza with olives and cheese',
    { toppings: ['olives', 'cheese'] },
  ],
  [
    'a list of addresses',
    object({ attendees: { type: 'array', items: { type: 'string', format: 'email' } } }),
    'Invite a@x.org and b@y.org',
    { attendees: ['a@x.org', 'b@y.org'] },
  ],
  [
    'a labelled list',
    object({ tags: { type: 'array', items: string } }),
    'tags: red, green and blue',
    { tags: ['red', 'green', 'blue'] },
  ],
  [
    'a nested object',
    object({ customer: object({ name: string, email: { type: 'string', format: 'email' } }) }),
    'customer name: Eva Gil, email eva@gil.es',
    { customer: { name: 'Eva Gil', email: 'eva@gil.es' } },
  ],
  [
    'a list of objects',
    object({ items: { type: 'array', items: object({ sku: string, quantity: integer }) } }),
    'Add 3 units of sku AB-77',
    { items: [{ sku: 'AB-77', quantity: 3 }] },
  ],
  [
    'a constant and a default',
    object({ kind: { const: 'note' }, lines: { type: 'integer', default: 10 } }),
    'go',
    { kind: 'note', lines: 10 },
  ],
  ['the message before the default', object({ limit: { type: 'integer', default: 10 } }), 'limit 3', { limit: 3 }],
  [
    'a reference',
    { ...object({ unit: { $ref: '#/$defs/Unit' } }), $defs: { Unit: UNITS } },
    'in fahrenheit',
    { unit: 'fahrenheit' },
  ],
  ['a nullable type', object({ city: { type: ['string', 'null'] } }), 'in Vigo', { city: 'Vigo' }],
  ['alternatives', object({ amount: { anyOf: [{ type: 'null' }, number] } }), 'amount 12', { amount: 12 }],
  [
    'units to convert',
    object({
      value: number,
      from_unit: { type: 'string', enum: ['km', 'miles'] },
      to_unit: { type: 'string', enum: ['km', 'miles'] },
    }),
    'Convert 10 km to miles',
    { value: 10, from_unit: 'km', to_unit: 'miles' },
  ],
  [
    'currencies',
    object({
      amount: number,
      from: { type: 'string', enum: ['EUR', 'USD'] },
      to: { type: 'string', enum: ['EUR', 'USD'] },
    }),
    'Convierte 50 euros a dólares',
    { amount: 50, from: 'EUR', to: 'USD' },
  ],
  [
    'a language',
    object({ text: string, target_language: string }),
    'Translate "good morning" into French',
    { text: 'good morning', target_language: 'French' },
  ],
  [
    'a language code',
    object({ text: string, language: { type: 'string', enum: ['fr', 'de'] } }),
    'Traduce "hola" al francés',
    { text: 'hola', language: 'fr' },
  ],
  ['an expression', object({ expression: string }), 'What is 12 * (3 + 4)?', { expression: '12 * (3 + 4)' }],
  [
    'a question',
    object({ query: string }),
    'Hello, could you tell me how long the warranty lasts? Thanks',
    { query: 'how long the warranty lasts?' },
  ],
  [
    'what a message should say',
    object({ phone: string, message: string }),
    'Text +34 600 111 222 saying see you at noon',
    { phone: '+34 600 111 222', message: 'see you at noon' },
  ],
  ['one thing to do', object({ task: string }), 'Remind me to call the bank', { task: 'call the bank' }],
];

const MISSING: [string, unknown, string, string[]][] = [
  [
    'a number that is not said',
    object({ customer: string, amount: number }),
    'Create an invoice for customer Acme',
    ['amount'],
  ],
  ['a place that is not said', object({ city: string }), 'What is the weather like?', ['city']],
  ['an integer where a fraction is said', object({ nights: integer }), '2.5 nights', ['nights']],
  ['a number out of bounds', object({ rating: { type: 'integer', maximum: 5 } }), 'rating 9', ['rating']],
  ['a value outside the enumeration', object({ unit: UNITS }), 'in kelvin', ['unit']],
  ['a date that does not exist', object({ date }), 'on 2025-02-30', ['date']],
  [
    'part of a nested object',
    object({ customer: object({ email: { type: 'string', format: 'email' } }) }),
    'for Ana',
    ['customer.email'],
  ],
  ['a second quotation', object({ title: string, text: string }), 'Save "Shopping"', ['text']],
  ['too few items', object({ numbers: { type: 'array', items: number, minItems: 2 } }), 'Average of 3', ['numbers']],
];

describe('Filling arguments from a message', () => {
  it.each(FILLED)('finds %s', (_, schema, text, expected) => {
    const { input, missing } = fill(schema, text);
    expect({ input, missing }).toEqual({ input: expected, missing: [] });
  });

  it.each(MISSING)('does not make up %s', (_, schema, text, expected) => {
    expect(fill(schema, text).missing).toEqual(expected);
  });

  it('leaves dates that need to know today out when nobody said what day it is', () => {
    const { missing } = fillArguments(object({ date }), 'tomorrow', { language: 'en' });
    expect(missing).toEqual(['date']);
  });

  it('gives null only where the schema allows it', () => {
    const schema = object({ name: string, nick: { type: ['string', 'null'] } });
    const { input, missing } = fillArguments(schema, 'name: Ana', { language: 'en', nulls: true });
    expect({ input, missing }).toEqual({ input: { name: 'Ana', nick: null }, missing: [] });
  });

  it('survives schemas that refer to themselves', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' }, n: integer }, required: ['n'] };
    expect(fill(schema, 'n 4').input).toEqual({ n: 4 });
  });
});
