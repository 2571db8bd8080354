/**
 * The rows of the nasty database: a distributor of household goods, with its shops, stores, people and old orders.
 * They are made from a fixed seed; money is in cents, and moments are ISO texts in UTC.
 */

/** A number of 32 bits by Tommy Ettinger's mulberry32, so that every run has the same rows. */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(20_260_511);
const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
const chance = (share: number) => random() < share;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (from: string, to: string): string => {
  const [begin, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  return new Date(begin + Math.floor((random() * (end - begin)) / MINUTE) * MINUTE).toISOString();
};
const dayOf = (moment: string) => moment.slice(0, 10);
const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();
const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

const FIRST_NAMES = ['Ana', 'Íñigo', 'Lucía', 'Joan', 'María José', 'Peter', 'Chloé', 'Ángel', 'Begoña', 'Rui', 'Sara'];
const LAST_NAMES = ["O'Neill", 'García', 'Núñez', 'Müller', 'Peña', 'Castro', 'Álvarez', 'Ibáñez', 'Smith', 'Souza'];
export const CITIES = ['Madrid', 'Málaga', 'A Coruña', 'León', 'Sevilla', 'Bilbao', 'Porto', 'Gijón'] as const;
const PROVINCE: Record<string, string> = {
  Madrid: 'Madrid',
  Málaga: 'Málaga',
  'A Coruña': 'A Coruña',
  León: 'León',
  Sevilla: 'Sevilla',
  Bilbao: 'Bizkaia',
  Porto: 'Norte',
  Gijón: 'Asturias',
};

export const departments = ['Ventas', 'Almacén', 'Atención al cliente', 'Contabilidad', 'Dirección', 'Sistemas'].map(
  (nombre, i) => ({ id: i + 1, nombre, presupuesto: whole(80_000_00, 900_000_00) }),
);

export const employees = range(90).map((id) => ({
  id,
  nombre: pick(FIRST_NAMES),
  apellidos: `${pick(LAST_NAMES)} ${pick(LAST_NAMES)}`,
  departamento_id: id <= 6 ? id : whole(1, 6),
  jefe_id: id <= 6 ? null : whole(1, 6),
  fecha_alta: dayOf(at('2012-01-01', '2025-01-01')),
  salario: whole(18_000_00, 74_000_00),
  // Every tenth works on call and has no address of the company.
  email: id % 10 === 0 ? null : `p${id}@iberhogar.example`,
}));

const customersOf = (count: number, offset: number, from: string, to: string) =>
  range(count).map((number) => {
    const City = pick(CITIES);
    return {
      CustomerId: offset + number,
      FullName: `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)} ${offset + number}`,
      City: City as string,
      Segment: pick(['retail', 'retail', 'retail', 'wholesale', 'public sector']),
      SignedUpOn: dayOf(at(from, to)),
      CreditLimit: chance(0.3) ? null : whole(5, 400) * 100_00,
      Profile: {
        language: pick(['es', 'es', 'en', 'pt']),
        newsletter: chance(0.4),
        address: { province: PROVINCE[City]!, zip: String(whole(10_000, 52_999)) },
      },
    };
  });
export const customers = customersOf(240, 1000, '2021-01-01', '2025-03-01');
export const oldCustomers = customersOf(60, 100, '2017-01-01', '2019-01-01');

export const categories = [
  { id: 1, name: 'Iluminación', parent_id: null },
  { id: 2, name: 'Jardín', parent_id: null },
  { id: 3, name: 'Cocina', parent_id: null },
  { id: 4, name: 'Baño', parent_id: null },
  { id: 5, name: 'Oficina', parent_id: null },
  { id: 6, name: 'Lámparas de pie', parent_id: 1 },
  { id: 7, name: 'Menaje', parent_id: 3 },
];

const THINGS = ['Lámpara', 'Mesa', 'Silla', 'Espejo', 'Taza', 'Manguera', 'Estante', 'Jarrón', 'Toallero', 'Cuchillo'];
const STYLES = ['Alba', 'Duero', 'Nórdico', 'Olivo', 'Brisa', 'Sol', 'Tajo', 'Ámbar', 'Vega', 'Ría', 'Luna', 'Cabo'];
export const products = range(120).map((number) => ({
  code: `P-${String(number).padStart(3, '0')}`,
  name: `${THINGS[(number - 1) % 10]!} ${STYLES[Math.floor((number - 1) / 10)]!}`,
  category_id: whole(1, 7),
  list_price: whole(4_00, 480_00),
  // The column's name has a blank; in grams here, kilograms in the database.
  weight: chance(0.1) ? null : whole(100, 25_000),
  discontinued: chance(0.15),
  launched_on: chance(0.05) ? null : dayOf(at('2018-01-01', '2025-01-01')),
  attributes: {
    color: pick(['rojo', 'azul', 'verde', 'blanco', 'negro']),
    material: pick(['madera', 'metal', 'vidrio']),
  },
}));

const COUNTRIES = ['ES', 'PT', 'FR', 'DE', 'IT'];
export const suppliers = range(25).map((id) => ({
  id,
  company_name: `${pick(['Talleres', 'Fábrica', 'Industrias', 'Werk', 'Atelier'])} ${pick(STYLES)} ${id}`,
  country: pick(COUNTRIES),
  rating: chance(0.2) ? null : whole(1, 5),
}));
export const supplies = products.flatMap(({ code }) =>
  [...new Set([whole(1, 25), whole(1, 24)])].map((supplier_id) => ({
    product_code: code,
    supplier_id,
    lead_days: whole(2, 60),
  })),
);

const NOTES = ['Entregar por la tarde', 'Regalo', "Ring at O'Neill's", 'Frágil: ¡cuidado!'];
const SELLERS = employees.filter(({ departamento_id }) => departamento_id === 1);

export interface Line {
  readonly order_id: number;
  readonly line_no: number;
  readonly product_code: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly discount: number;
}
export const amountOf = ({ quantity, unit_price, discount }: Line) => quantity * unit_price - discount;

function ordersOf(count: number, offset: number, buyers: readonly { CustomerId: number }[], from: string, to: string) {
  return range(count).map((number) => {
    const id = offset + number;
    const lines = range(whole(1, 4)).map((line_no): Line => {
      const { code, list_price } = pick(products);
      const quantity = whole(1, 12);
      const discount = chance(0.25) ? Math.floor((quantity * list_price) / 20) : 0;
      return { order_id: id, line_no, product_code: code, quantity, unit_price: list_price, discount };
    });
    return {
      id,
      // The last thirty customers have not bought anything yet.
      customerId: buyers[whole(0, buyers.length - 31)]!.CustomerId,
      status: pick(['placed', 'shipped', 'shipped', 'delivered', 'delivered', 'delivered', 'cancelled', 'returned']),
      channel: pick(['web', 'web', 'tienda', 'teléfono']),
      placed_at: at(from, to),
      total: lines.reduce((sum, line) => sum + amountOf(line), 0),
      sold_by: chance(0.4) ? pick(SELLERS).id : null,
      desc: chance(0.2) ? pick(NOTES) : null,
      lines,
    };
  });
}
export const orders = ordersOf(2000, 50_000, customers, '2023-01-01', '2025-07-01');
export const oldOrders = ordersOf(300, 9000, oldCustomers, '2019-01-01', '2023-01-01');
export const lines = orders.flatMap((order) => order.lines);

export const invoices = orders
  .filter(({ status }) => status === 'delivered' || status === 'shipped')
  .map(({ id, placed_at, total }, i) => {
    const emitida_el = dayOf(later(placed_at, whole(1, 5) * DAY));
    return {
      numero: `F${emitida_el.slice(0, 4)}/${String(i + 1).padStart(5, '0')}`,
      pedido_id: id,
      emitida_el,
      vencimiento: dayOf(later(`${emitida_el}T00:00:00.000Z`, 30 * DAY)),
      base_imponible: total,
      iva: Math.round(total * 0.21),
      pagada: chance(0.8),
    };
  });

export const warehouses = [
  { id: 1, nombre: 'Central', ciudad: 'Madrid', capacity: 12_500 },
  { id: 2, nombre: 'Norte', ciudad: 'Bilbao', capacity: 4200 },
  { id: 3, nombre: 'Sur', ciudad: 'Sevilla', capacity: 6100 },
  { id: 4, nombre: 'Atlántico', ciudad: 'Porto', capacity: 3800 },
];
export const movements = range(3000).map((id) => {
  const reason = pick(['sale', 'sale', 'sale', 'purchase', 'breakage', 'count']);
  return {
    id,
    product_code: pick(products).code,
    almacen_id: whole(1, 4),
    quantity: reason === 'purchase' ? whole(10, 200) : reason === 'count' ? whole(-5, 5) : -whole(1, 15),
    reason,
    moved_at: at('2023-01-01', '2025-07-01'),
  };
});

export const tickets = range(800).map((id) => {
  const opened_at = at('2024-01-01', '2025-07-01');
  const isOpen = chance(0.25);
  return {
    id,
    customer_id: pick(customers).CustomerId,
    opened_at,
    closed_at: isOpen ? null : later(opened_at, whole(10, 14 * 24 * 60) * MINUTE),
    priority: pick(['low', 'normal', 'normal', 'high', 'urgent']),
    group: pick(['Devoluciones', 'Envíos', 'Facturación', 'Técnico']),
    satisfaction: isOpen || chance(0.3) ? null : whole(1, 5),
  };
});
