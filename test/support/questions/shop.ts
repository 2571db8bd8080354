/** A shop: orders with lines, customers, products in categories, staff, payments, reviews. English names. */
import { columns, dice, type Row, type TableOf } from './schema';

const d = dice(7);
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));
const NAMES =
  'Acme,Blue River,Cobalt,Delta Foods,Evergreen,Foxtrot,Granite,Harbor,Indigo,Juniper,Kestrel,Lumen,Maple,Nimbus,Orchid,Pinnacle,Quartz,Redwood,Sierra,Tundra,Umbra,Vertex,Willow,Xenon,Yarrow,Zephyr'.split(
    ',',
  );

const countries: Row[] = ['Germany', 'France', 'Spain', 'Italy', 'Portugal'].map((name, i) => ({
  id: i + 1,
  name,
  code: ['DE', 'FR', 'ES', 'IT', 'PT'][i]!,
}));
const customers: Row[] = NAMES.map((name, i) => ({
  id: i + 1,
  name: `${name} Ltd`,
  country_id: d.int(1, 5),
  segment: d.pick(['retail', 'wholesale', 'online']),
  is_active: d.chance(0.7),
  credit_limit: d.chance(0.8) ? d.int(1, 20) * 500 : null,
  registered_at: `${d.day('2020-01-01', '2023-12-31')} 10:00:00`,
}));
const categories: Row[] = ['Furniture', 'Lighting', 'Textiles', 'Garden'].map((name, i) => ({ id: i + 1, name }));
const products: Row[] = 'Desk,Chair,Sofa,Shelf,Floor Lamp,Desk Lamp,Lantern,Rug,Curtain,Cushion,Bench,Planter,Hammock'
  .split(',')
  .map((name, i) => ({
    id: i + 1,
    name,
    category_id: i < 4 ? 1 : i < 7 ? 2 : i < 10 ? 3 : 4,
    price: d.money(10, 600),
    stock: d.int(0, 120),
    discontinued_at: d.chance(0.2) ? d.day('2024-01-01', '2024-12-31') : null,
  }));
const stores: Row[] = ['Berlin', 'Madrid', 'Lisbon'].map((city, i) => ({
  id: i + 1,
  name: `${city} Center`,
  city,
  opened_on: d.day('2015-01-01', '2019-12-31'),
}));
const FIRST = 'Ana,Ben,Carla,David,Eva,Felix,Greta,Hugo,Iris,Jonas,Klara,Luis'.split(',');
const employees: Row[] = FIRST.map((first, i) => ({
  id: i + 1,
  first_name: first,
  last_name: d.pick(['Berg', 'Costa', 'Dunn', 'Egger', 'Faber']) + i,
  store_id: d.chance(0.85) ? d.int(1, 3) : null,
  manager_id: i < 3 ? null : d.int(1, 3),
  salary: d.int(24, 70) * 1000,
  hire_date: d.day('2016-01-01', '2023-12-31'),
  birth_date: d.day('1965-01-01', '2000-12-31'),
}));
const orders: Row[] = many(240, (id) => {
  const day = d.day('2023-01-01', '2024-12-31');
  const status = d.pick(['pending', 'shipped', 'delivered', 'delivered', 'cancelled']);
  return {
    id,
    customer_id: d.chance(0.93) ? d.int(1, 22) : null,
    store_id: d.int(1, 3),
    salesperson_id: d.chance(0.8) ? d.int(1, 12) : null,
    status,
    order_date: day,
    shipped_at: status === 'shipped' || status === 'delivered' ? `${day} 18:30:00` : null,
    total_amount: d.money(20, 4000),
    discount: d.chance(0.4) ? d.money(1, 50) : null,
    deleted_at: d.chance(0.05) ? '2025-01-02 00:00:00' : null,
  };
});
const items: Row[] = orders.flatMap((order) =>
  many(d.int(1, 4), (line_no) => ({
    order_id: order.id!,
    line_no,
    product_id: d.int(1, 12),
    quantity: d.int(1, 9),
    unit_price: d.money(10, 600),
  })),
);
const payments: Row[] = many(200, (id) => ({
  id,
  order_id: d.int(1, 240),
  method: d.pick(['card', 'transfer', 'cash']),
  amount: d.money(20, 3000),
  paid_on: d.day('2023-01-05', '2025-01-20'),
}));
const reviews: Row[] = many(90, (id) => ({
  id,
  customer_id: d.int(1, 20),
  product_id: d.int(1, 13),
  rating: d.int(1, 5),
  created_at: `${d.day('2023-01-01', '2024-12-31')} 09:15:00`,
}));

export const shopRows = {
  countries,
  customers,
  categories,
  products,
  stores,
  employees,
  orders,
  items,
  payments,
  reviews,
};

export const shop: TableOf[] = [
  { name: 'countries', key: ['id'], rows: countries, columns: columns('int id\ntext name\ntext code') },
  {
    name: 'customers',
    key: ['id'],
    rows: customers,
    columns: columns(`int id
      text name
      int country_id -> countries.id
      enum(retail, wholesale, online) segment
      bool is_active
      int credit_limit?
      timestamp registered_at`),
  },
  { name: 'categories', key: ['id'], rows: categories, columns: columns('int id\ntext name') },
  {
    name: 'products',
    key: ['id'],
    rows: products,
    columns: columns(`int id
      text name
      int category_id -> categories.id
      decimal price
      int stock
      date discontinued_at?`),
  },
  { name: 'stores', key: ['id'], rows: stores, columns: columns('int id\ntext name\ntext city\ndate opened_on') },
  {
    name: 'employees',
    key: ['id'],
    rows: employees,
    columns: columns(`int id
      text first_name
      text last_name
      int store_id? -> stores.id
      int manager_id? -> employees.id
      int salary
      date hire_date
      date birth_date`),
  },
  {
    name: 'orders',
    key: ['id'],
    rows: orders,
    columns: columns(`int id
      int customer_id? -> customers.id
      int store_id -> stores.id
      int salesperson_id? -> employees.id
      enum(pending, shipped, delivered, cancelled) status
      date order_date
      timestamp shipped_at?
      decimal total_amount
      decimal discount?
      timestamp deleted_at?`),
  },
  {
    name: 'order_items',
    key: ['order_id', 'line_no'],
    rows: items,
    columns: columns(`int order_id -> orders.id
      int line_no
      int product_id -> products.id
      int quantity
      decimal unit_price`),
  },
  {
    name: 'payments',
    key: ['id'],
    rows: payments,
    columns: columns(`int id
      int order_id -> orders.id
      text method
      decimal amount
      date paid_on`),
  },
  {
    name: 'reviews',
    key: ['id'],
    rows: reviews,
    columns: columns(`int id
      int customer_id -> customers.id
      int product_id -> products.id
      int rating
      timestamp created_at`),
  },
];
