import { namesDate, namesIdentifier, namesTextCode, SqlNames } from './column-names';

describe('a name in SQL', () => {
  it.each([
    ['Importe (€)', 'importe'],
    ['  Total  Amount ', 'total_amount'],
    ['% of sales', 'percent_of_sales'],
    ['#', 'number'],
    ['2024', '_2024'],
    ['Año', 'año'],
    ['Order', 'order_'],
    ['constructor', 'constructor_'],
    ['__proto__', 'proto_'],
    ['a"; DROP TABLE x', 'a_drop_table_x'],
    ['', 'column_1'],
    ['—', 'column_1'],
  ])('of “%s” needs no quotes: %s', (header, name) => expect(new SqlNames().name(header, 'column_1')).toBe(name));

  it('is given once, whatever the case, and has at most 60 characters', () => {
    const names = new SqlNames();
    expect(['Total', 'TOTAL', 'total_2', 'total'].map((header) => names.name(header, ''))).toEqual([
      'total',
      'total_2',
      'total_2_2',
      'total_3',
    ]);
    const long = ['x'.repeat(100), 'x'.repeat(100)].map((header) => names.name(header, ''));
    expect(long.map(({ length }) => length)).toEqual([60, 56]);
  });
});

describe('a header', () => {
  it.each([
    'ZIP',
    'PostalCode',
    'Código postal',
    'phone',
    'IBAN',
    'N.º de cuenta',
    'Nº de tarjeta',
    'Número de cuenta',
    'customer_phone',
  ])('%s speaks of codes made of digits', (header) => expect(namesTextCode(header)).toBe(true));
  it.each(['Amount', 'Zipper', 'Capital', 'Telephones sold'])('%s does not', (header) =>
    expect(namesTextCode(header)).toBe(false),
  );
  it('speaks of identifiers and dates by its last and by any word', () => {
    expect(['customer_id', 'OrderNumber', 'Referencia'].every(namesIdentifier)).toBe(true);
    expect(['idle', 'paid', 'number of orders'].some(namesIdentifier)).toBe(false);
    expect(['Fecha de alta', 'order date', 'Tag'].every(namesDate)).toBe(true);
    expect(['updated', 'birthday'].some(namesDate)).toBe(false);
  });
});
