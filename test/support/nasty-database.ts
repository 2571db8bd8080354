/**
 * A PostgreSQL schema as unkind as real ones are: quoted names in mixed case, reserved words as names, enums, JSONB, a
 * partitioned table, views over views, comments in two languages, two schemas with the same tables, a time zone, and 500
 * tables beside those that matter, whose names sound alike.
 */
import type { Client } from 'pg';
import * as data from './nasty-rows';

/** Of every session: moments near midnight belong to another day than in UTC. */
export const TIME_ZONE = 'Europe/Madrid';

/** In the order in which a name without schema is looked up. */
export const SCHEMAS = ['public', 'archive', 'hr'] as const;

const CUSTOMER = (schema: string) => `
  CREATE TABLE ${schema}."Customer" (
    "CustomerId" integer PRIMARY KEY,
    "FullName" text NOT NULL,
    "City" text NOT NULL,
    "Segment" customer_segment NOT NULL,
    "SignedUpOn" date NOT NULL,
    "CreditLimit" numeric(12, 2),
    "Profile" jsonb NOT NULL
  );`;

const ORDER = (schema: string) => `
  CREATE TABLE ${schema}."order" (
    id bigint PRIMARY KEY,
    "customerId" integer NOT NULL REFERENCES ${schema}."Customer",
    status order_status NOT NULL,
    channel text NOT NULL,
    placed_at timestamptz NOT NULL,
    total numeric(12, 2) NOT NULL,
    sold_by integer REFERENCES hr.employee,
    "desc" text
  );`;

export const SCHEMA_SQL = `
CREATE SCHEMA archive;
CREATE SCHEMA hr;
CREATE TYPE customer_segment AS ENUM ('retail', 'wholesale', 'public sector');
CREATE TYPE order_status AS ENUM ('draft', 'placed', 'shipped', 'delivered', 'cancelled', 'returned');
CREATE TYPE movement_reason AS ENUM ('sale', 'purchase', 'breakage', 'count');
CREATE TYPE ticket_priority AS ENUM ('low', 'normal', 'high', 'urgent');

CREATE TABLE hr.departamento (id integer PRIMARY KEY, nombre text NOT NULL, presupuesto numeric(14, 2) NOT NULL);
CREATE TABLE hr.employee (
  id integer PRIMARY KEY,
  nombre text NOT NULL,
  apellidos text NOT NULL,
  departamento_id integer NOT NULL REFERENCES hr.departamento,
  jefe_id integer REFERENCES hr.employee,
  fecha_alta date NOT NULL,
  salario numeric(10, 2) NOT NULL,
  email text
);
COMMENT ON TABLE hr.departamento IS 'Departamentos de la empresa y su presupuesto anual';
COMMENT ON TABLE hr.employee IS 'People on the payroll';
COMMENT ON COLUMN hr.employee.fecha_alta IS 'First day at the company';
COMMENT ON COLUMN hr.employee.salario IS 'Gross, euros a year';
COMMENT ON COLUMN hr.employee.jefe_id IS 'Manager';

${CUSTOMER('public')}
COMMENT ON TABLE "Customer" IS 'People and companies that buy from us. Clientes.';
COMMENT ON COLUMN "Customer"."CreditLimit" IS 'Euros; empty: may not buy on credit';
${ORDER('public')}
COMMENT ON TABLE "order" IS 'Pedidos desde 2023; los anteriores están en archive';
COMMENT ON COLUMN "order".total IS 'Importe neto en euros, sin IVA';
COMMENT ON COLUMN "order".channel IS 'Canal de venta';
COMMENT ON COLUMN "order"."desc" IS 'Observaciones del cliente';
${CUSTOMER('archive')}
${ORDER('archive')}
COMMENT ON TABLE archive."order" IS 'Orders before 2023';
COMMENT ON TABLE archive."Customer" IS 'Customers before 2023';

CREATE TABLE category (id integer PRIMARY KEY, name text NOT NULL, parent_id integer REFERENCES category);
CREATE TABLE product (
  code text PRIMARY KEY,
  name text NOT NULL,
  category_id integer NOT NULL REFERENCES category,
  list_price numeric(10, 2) NOT NULL,
  "weight kg" numeric(8, 3),
  discontinued boolean NOT NULL,
  launched_on date,
  attributes jsonb NOT NULL
);
COMMENT ON TABLE product IS 'Catálogo de artículos';
COMMENT ON COLUMN product.list_price IS 'Precio de catálogo en euros';
CREATE TABLE order_line (
  order_id bigint NOT NULL REFERENCES "order",
  line_no smallint NOT NULL,
  product_code text NOT NULL REFERENCES product,
  quantity integer NOT NULL,
  unit_price numeric(10, 2) NOT NULL,
  discount numeric(10, 2) NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
COMMENT ON TABLE order_line IS 'What was ordered, and how many';
COMMENT ON COLUMN order_line.discount IS 'Euros off the whole line';
CREATE TABLE supplier (
  id integer PRIMARY KEY,
  company_name text NOT NULL,
  country char(2) NOT NULL,
  rating smallint
);
COMMENT ON TABLE supplier IS 'Proveedores';
COMMENT ON COLUMN supplier.rating IS '1 (malo) a 5 (excelente)';
CREATE TABLE product_supplier (
  product_code text NOT NULL REFERENCES product,
  supplier_id integer NOT NULL REFERENCES supplier,
  lead_days integer NOT NULL,
  PRIMARY KEY (product_code, supplier_id)
);
CREATE TABLE factura (
  numero text PRIMARY KEY,
  pedido_id bigint NOT NULL REFERENCES "order",
  emitida_el date NOT NULL,
  vencimiento date NOT NULL,
  base_imponible numeric(12, 2) NOT NULL,
  iva numeric(12, 2) NOT NULL,
  pagada boolean NOT NULL
);
COMMENT ON TABLE factura IS 'Invoices, one for each order that was sent';
COMMENT ON COLUMN factura.iva IS 'VAT in euros';
CREATE TABLE almacen (
  id integer PRIMARY KEY,
  nombre text NOT NULL,
  ciudad text NOT NULL,
  "Capacidad m2" integer NOT NULL
);
COMMENT ON TABLE almacen IS 'Warehouses';
CREATE TABLE stock_movement (
  id bigint NOT NULL,
  product_code text NOT NULL REFERENCES product,
  almacen_id integer NOT NULL REFERENCES almacen,
  quantity integer NOT NULL,
  reason movement_reason NOT NULL,
  moved_at timestamptz NOT NULL
) PARTITION BY RANGE (moved_at);
CREATE TABLE stock_movement_2023 PARTITION OF stock_movement FOR VALUES FROM ('2023-01-01 00:00Z') TO ('2024-01-01 00:00Z');
CREATE TABLE stock_movement_2024 PARTITION OF stock_movement FOR VALUES FROM ('2024-01-01 00:00Z') TO ('2025-01-01 00:00Z');
CREATE TABLE stock_movement_rest PARTITION OF stock_movement DEFAULT;
COMMENT ON TABLE stock_movement IS 'Entradas y salidas de existencias; las salidas son negativas';
CREATE TABLE ticket (
  id bigint PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES "Customer",
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  priority ticket_priority NOT NULL,
  "group" text NOT NULL,
  satisfaction smallint CHECK (satisfaction BETWEEN 1 AND 5)
);
COMMENT ON TABLE ticket IS 'Support requests of customers. Incidencias.';
COMMENT ON COLUMN ticket."group" IS 'Equipo que la atiende';
COMMENT ON COLUMN ticket.satisfaction IS '1 to 5, as the customer rated it';

CREATE VIEW v_order_amount AS
  SELECT o.id, o."customerId", o.placed_at, o.status, sum(l.quantity * l.unit_price - l.discount) AS amount
  FROM "order" o JOIN order_line l ON l.order_id = o.id GROUP BY o.id;
CREATE VIEW v_monthly_sales AS
  SELECT date_trunc('month', placed_at)::date AS month, count(*) AS orders, sum(amount) AS revenue
  FROM v_order_amount WHERE status NOT IN ('cancelled', 'returned') GROUP BY 1;
CREATE VIEW "Yearly Sales" AS
  SELECT extract(year FROM month)::integer AS "Year", sum(orders) AS orders, sum(revenue) AS revenue
  FROM v_monthly_sales GROUP BY 1;
COMMENT ON VIEW v_monthly_sales IS 'Ventas por mes, sin pedidos anulados ni devueltos';
COMMENT ON VIEW "Yearly Sales" IS 'Sales by year, without cancelled and returned orders';

CREATE FUNCTION net_price(gross numeric, rate numeric) RETURNS numeric LANGUAGE sql IMMUTABLE
  AS 'SELECT round(gross / (1 + rate), 2)';
COMMENT ON FUNCTION net_price(numeric, numeric) IS 'Price without VAT';
CREATE PROCEDURE close_month(day date) LANGUAGE sql AS 'SELECT 1';
`;

const MODULES = 'crm fin wms hrm mkt web iot pos qa log bi doc prj sub edi'.split(' ');
const ENTITIES = (
  'customer_note customer_merge order_draft order_status_history invoice_template invoice_number_range product_image ' +
  'product_review_queue employee_badge supplier_contract stock_snapshot ticket_macro ticket_tag warehouse_zone ' +
  'category_translation price_list_import payment_attempt shipment_label city_alias department_mailbox sales_target ' +
  'vat_rate_override discount_code return_reason channel_mapping user_session role_grant export_job sync_cursor ' +
  'event_outbox feature_flag menu_item email_template audit_trail'
).split(' ');
const COLUMNS = (
  'status:text priority:integer quantity:integer amount:numeric(12,2) total:numeric(14,2) city:text country:text ' +
  'opened_at:timestamptz closed_at:timestamptz placed_at:timestamptz customer_id:integer product_code:text ' +
  'category:text channel:text payload:jsonb enabled:boolean created_by:text updated_at:timestamptz reason:text ' +
  'language:text rating:smallint discount:numeric(6,2) due_on:date notes:text'
).split(' ');

/** 500 tables that no question needs. */
export const DECOYS: readonly string[] = MODULES.flatMap((module) =>
  ENTITIES.map((entity) => `${module}_${entity}`),
).slice(0, 500);

/** @param count of the tables; more than 500 have names with a number. */
export function decoySql(count = 500): string {
  const random = data.seeded(7);
  const statements: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = i < DECOYS.length ? DECOYS[i]! : `${DECOYS[i % DECOYS.length]!}_${Math.floor(i / DECOYS.length)}`;
    const columns = new Set(
      Array.from({ length: 3 + Math.floor(random() * 6) }, () => COLUMNS[Math.floor(random() * COLUMNS.length)]!),
    );
    statements.push(
      `CREATE TABLE ${name} (id bigint PRIMARY KEY, ${[...columns].map((column) => column.replace(':', ' ')).join(', ')});`,
    );
    if (i % 3 === 0) {
      const words = name.split('_').slice(1).join(' ');
      const comment = i % 2 ? `Internal: ${words}` : `Uso interno: ${words}`;
      statements.push(`COMMENT ON TABLE ${name} IS '${comment}';`);
    }
  }
  return statements.join('\n');
}

/** A place for rows: the table and its columns, with what a row says in each. */
type Fill = readonly [table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]];

export const euros = (cents: number | null): string | null => {
  if (cents === null) return null;
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const customerRows = (of: typeof data.customers) =>
  of.map((one) => [
    one.CustomerId,
    one.FullName,
    one.City,
    one.Segment,
    one.SignedUpOn,
    euros(one.CreditLimit),
    one.Profile,
  ]);
const orderRows = (of: typeof data.orders) =>
  of.map((one) => [
    one.id,
    one.customerId,
    one.status,
    one.channel,
    one.placed_at,
    euros(one.total),
    one.sold_by,
    one.desc,
  ]);
const CUSTOMER_COLUMNS = ['CustomerId', 'FullName', 'City', 'Segment', 'SignedUpOn', 'CreditLimit', 'Profile'];
const ORDER_COLUMNS = ['id', 'customerId', 'status', 'channel', 'placed_at', 'total', 'sold_by', 'desc'];

const FILLS: readonly Fill[] = [
  [
    'hr.departamento',
    ['id', 'nombre', 'presupuesto'],
    data.departments.map((one) => [one.id, one.nombre, euros(one.presupuesto)]),
  ],
  [
    'hr.employee',
    ['id', 'nombre', 'apellidos', 'departamento_id', 'jefe_id', 'fecha_alta', 'salario', 'email'],
    data.employees.map((one) => [
      one.id,
      one.nombre,
      one.apellidos,
      one.departamento_id,
      one.jefe_id,
      one.fecha_alta,
      euros(one.salario),
      one.email,
    ]),
  ],
  ['public."Customer"', CUSTOMER_COLUMNS, customerRows(data.customers)],
  ['archive."Customer"', CUSTOMER_COLUMNS, customerRows(data.oldCustomers)],
  ['public."order"', ORDER_COLUMNS, orderRows(data.orders)],
  ['archive."order"', ORDER_COLUMNS, orderRows(data.oldOrders)],
  ['category', ['id', 'name', 'parent_id'], data.categories.map((one) => [one.id, one.name, one.parent_id])],
  [
    'product',
    ['code', 'name', 'category_id', 'list_price', 'weight kg', 'discontinued', 'launched_on', 'attributes'],
    data.products.map((one) => [
      one.code,
      one.name,
      one.category_id,
      euros(one.list_price),
      one.weight === null ? null : (one.weight / 1000).toFixed(3),
      one.discontinued,
      one.launched_on,
      one.attributes,
    ]),
  ],
  [
    'order_line',
    ['order_id', 'line_no', 'product_code', 'quantity', 'unit_price', 'discount'],
    data.lines.map((one) => [
      one.order_id,
      one.line_no,
      one.product_code,
      one.quantity,
      euros(one.unit_price),
      euros(one.discount),
    ]),
  ],
  [
    'supplier',
    ['id', 'company_name', 'country', 'rating'],
    data.suppliers.map((one) => [one.id, one.company_name, one.country, one.rating]),
  ],
  [
    'product_supplier',
    ['product_code', 'supplier_id', 'lead_days'],
    data.supplies.map((one) => [one.product_code, one.supplier_id, one.lead_days]),
  ],
  [
    'factura',
    ['numero', 'pedido_id', 'emitida_el', 'vencimiento', 'base_imponible', 'iva', 'pagada'],
    data.invoices.map((one) => [
      one.numero,
      one.pedido_id,
      one.emitida_el,
      one.vencimiento,
      euros(one.base_imponible),
      euros(one.iva),
      one.pagada,
    ]),
  ],
  [
    'almacen',
    ['id', 'nombre', 'ciudad', 'Capacidad m2'],
    data.warehouses.map((one) => [one.id, one.nombre, one.ciudad, one.capacity]),
  ],
  [
    'stock_movement',
    ['id', 'product_code', 'almacen_id', 'quantity', 'reason', 'moved_at'],
    data.movements.map((one) => [one.id, one.product_code, one.almacen_id, one.quantity, one.reason, one.moved_at]),
  ],
  [
    'ticket',
    ['id', 'customer_id', 'opened_at', 'closed_at', 'priority', 'group', 'satisfaction'],
    data.tickets.map((one) => [
      one.id,
      one.customer_id,
      one.opened_at,
      one.closed_at,
      one.priority,
      one.group,
      one.satisfaction,
    ]),
  ],
];

/** Makes it in an empty database of PostgreSQL. @param client of somebody who may do so. */
export async function createNastyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  await client.query(`ALTER DATABASE ${rows[0]!.name} SET timezone = '${TIME_ZONE}'`);
  await client.query(`SET timezone = '${TIME_ZONE}'`);
  await client.query(SCHEMA_SQL);
  await client.query(decoySql());
  for (const [table, columns, values] of FILLS) await fill(client, table, columns, values);
  await client.query('ANALYZE');
}

/** Who may read it all and change nothing. */
export async function createReader(client: Client, role: string): Promise<void> {
  await client.query(`CREATE ROLE ${role} LOGIN`);
  for (const schema of SCHEMAS) {
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  }
}

async function fill(client: Client, ...[table, columns, rows]: Fill): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const records = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  const select = `SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`;
  await client.query(`INSERT INTO ${table} (${names}) ${select}`, [JSON.stringify(records)]);
}
