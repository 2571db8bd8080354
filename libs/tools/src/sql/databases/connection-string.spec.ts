import { inspect } from 'node:util';
import { ConnectionError } from './connection-error';
import { readConnectionString } from './connection-string';

/** The target with its password shown, or the words of the refusal. */
function read(text: string, ssl?: boolean): unknown {
  try {
    const target = readConnectionString(text, ssl);
    return 'password' in target ? { ...target, password: target.password.reveal() } : target;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    expect(error.token).toBe('connection_denied');
    return error.message;
  }
}

const base = { engine: 'postgres', host: 'db', port: 5432, user: 'ro', password: 'pw', database: 'erp', tls: false };
const mysql = { ...base, engine: 'mysql', port: 3306 };
const sqlServer = { ...base, engine: 'sqlserver', port: 1433 };
const odbc = (text: string) => `mssql+pyodbc:///?odbc_connect=${encodeURIComponent(text)}`;

describe('a connection string', () => {
  it.each([
    ['postgres://ro:pw@db:5432/erp', base],
    ['postgresql://ro:pw@db/erp', base],
    ['  postgresql://ro:pw@db/erp \n', base],
    ['postgresql+psycopg2://ro:pw@db/erp', base],
    ['postgresql://ro@db', { ...base, password: '', database: 'ro' }],
    ['postgresql://ro:pw@DB.Corp:6432/Erp', { ...base, host: 'db.corp', port: 6432, database: 'Erp' }],
    ['postgresql://ro:pw@bücher.example/erp', { ...base, host: 'xn--bcher-kva.example' }],
    ['postgresql://ro:pw@[::1]:5433/erp', { ...base, host: '::1', port: 5433 }],
    ['postgresql://ro:pw@[2001:DB8::0:7]/erp', { ...base, host: '2001:db8::7' }],
    ['postgresql://ro:pw@[::ffff:127.0.0.1]/erp', { ...base, host: '::ffff:7f00:1' }],
    ['mysql://ro:pw@db/erp', mysql],
    ['mysql+pymysql://ro:pw@db:3306/erp?charset=utf8mb4', mysql],
    ['mysql+mysqldb://ro:pw@db:3307/erp', { ...mysql, port: 3307 }],
    ['mariadb+pymysql://ro:pw@db/erp', mysql],
    ['mssql+pyodbc://ro:pw@db:1433/erp?driver=ODBC+Driver+18+for+SQL+Server', sqlServer],
    ['mssql+pyodbc://ro:pw@db/erp?driver=ODBC+Driver+18&Encrypt=yes&TrustServerCertificate=no', { ...sqlServer, tls: true }],
    [odbc('DRIVER={ODBC Driver 18 for SQL Server};SERVER=db,1433;DATABASE=erp;UID=ro;PWD=pw'), sqlServer],
    [odbc('Server=tcp:db,1434;Database={e;r};Uid=ro;Pwd={p}}w;=};Encrypt=yes;'), { ...sqlServer, port: 1434, database: 'e;r', password: 'p}w;=', tls: true }],
    ['sqlite:///sales.db', { engine: 'sqlite', path: 'sales.db' }],
    ['sqlite:///sub/sa%20les.db', { engine: 'sqlite', path: 'sub/sa les.db' }],
    ['sqlite:////etc/passwd', { engine: 'sqlite', path: '/etc/passwd' }],
  ])('is read: %s', (text, target) => {
    expect(read(text)).toEqual(target);
  }); // prettier-ignore

  it.each([
    ['p%40ss%2Fw%3Aord%25%3F%23', 'p@ss/w:ord%?#'],
    ['p:w', 'p:w'],
    ['p@w', 'p@w'],
    ['contraseña%20ñ', 'contraseña ñ'],
    ['a+b', 'a+b'],
  ])('has its password decoded: %s', (written, password) => {
    expect(read(`postgresql://r%40o:${written}@db/e%2Frp`)).toEqual({
      ...base,
      user: 'r@o',
      password,
      database: 'e/rp',
    });
  });

  it.each(['0x7f000001', '2130706433', '127.1', '0177.0.0.1', '１２７.０.０.１', '127.0.0.1.', '0x7f.0x0.0x0.0x1'])(
    'has a host as URLs write it: %s',
    (host) => {
      expect(read(`postgresql://ro:pw@${host}/erp`)).toEqual({ ...base, host: '127.0.0.1' });
    },
  );

  it.each([
    ['?sslmode=require', true],
    ['?sslmode=verify-full&application_name=x&connect_timeout=3', true],
    ['?sslmode=prefer', false],
    ['?sslmode=disable', false],
    ['?ssl=true', true],
    ['', false],
  ])('wants TLS by its parameters: %s', (query, tls) => {
    expect(read(`postgresql://ro:pw@db/erp${query}`)).toMatchObject({ tls });
    expect(read(`mysql://ro:pw@db/erp?ssl-mode=${tls ? 'VERIFY_IDENTITY' : 'DISABLED'}`)).toMatchObject({ tls });
  });

  it('wants TLS by the field ssl, which it may not contradict', () => {
    expect(read('postgresql://ro:pw@db/erp?sslmode=prefer', true)).toMatchObject({ tls: true });
    expect(read('postgresql://ro:pw@db/erp?sslmode=disable', true)).toMatch(/turns TLS off/);
  });

  it.each([
    // Schemes.
    'postgre://ro:pw@db/erp', 'POSTGRES://ro:pw@db/erp', 'postgresql+x://ro:pw@db/erp', 'mysqlx://ro:pw@db/erp', 'oracle://ro:pw@db/erp',
    'db2://ro:pw@db/erp', 'http://ro:pw@db/erp', 'file:///etc/passwd', 'jdbc:postgresql://db/erp', 'socket:/var/run?db=erp',
    // Forms.
    '', 'erp', 'host=db user=ro password=S3CR3T', 'Server=db;User Id=ro;Password=S3CR3T', 'postgresql:/ro:S3CR3T@db/erp', 'postgresql://ro:S3CR3T@db/erp#S3CR3T',
    'postgresql://ro:S3CR3T', 'postgresql://ro:12345', 'postgresql://ro:S3C/R3T@db/erp', 'postgresql://ro:S3C?R3T@db/erp', 'postgresql://ro:1/S3CR3T@db/erp',
    'postgresql://ro:S3CR3T%@db/erp', 'postgresql://ro:S3CR3T%ff@db/erp', 'postgresql://:S3CR3T@db/erp', 'postgresql://db/erp',
    'postgresql://ro:S3CR3T%00@db/erp', 'postgresql://r%0ao:S3CR3T@db/erp', 'postgresql://ro:S3CR3T@db/e/rp', 'postgresql://ro:S3CR3T@db/erp%00',
    `postgresql://ro:${'x'.repeat(3000)}@db/erp`, 'mysql://ro:S3CR3T@db', 'mssql+pyodbc://ro:S3CR3T@dsn',
    // Hosts.
    'postgresql://ro:S3CR3T@/erp', 'postgresql://ro:S3CR3T@a,b/erp', 'postgresql://ro:S3CR3T@a:1,b:2/erp', 'postgresql://ro:S3CR3T@%2Fvar%2Frun/erp',
    'postgresql://ro:S3CR3T@db%2etest/erp', 'postgresql://ro:S3CR3T@db:0/erp', 'postgresql://ro:S3CR3T@db:65536/erp', 'postgresql://ro:S3CR3T@db:x/erp',
    'postgresql://ro:S3CR3T@[::1/erp', 'postgresql://ro:S3CR3T@[fe80::1%25eth0]/erp', 'postgresql://ro:S3CR3T@db./erp',
    'postgresql://ro:S3CR3T@d b/erp', 'postgresql://ro:S3CR3T@db\\x/erp', 'mssql+pyodbc://ro:S3CR3T@db\\SQLEXPRESS/erp', 'postgresql://ro:S3CR3T@@/erp',
    // Parameters.
    ...['host=db2', 'hostaddr=10.0.0.1', 'port=1', 'user=x', 'password=S3CR3T', 'options=-c%20x=y', 'sslkey=/etc/passwd', 'sslrootcert=x', 'service=x',
      'sslmode=no-verify', 'sslmode=', 'S3CR3T=1', 'sslmode=require&sslmode=disable', 'sslmode=require&ssl=false', 'schema=x', '__proto__=1', 'constructor=1', 'sslmode=__proto__',
      'application_name=a@S3CR3T', 'a%40b=1'].map((query) => `postgresql://ro:S3CR3T@db/erp?${query}`),
    ...['multipleStatements=true', 'socketPath=/tmp/x', 'unix_socket=/tmp/x', 'ssl={"rejectUnauthorized":false}', 'ssl_ca=/etc/passwd', 'debug=true',
      'flags=LOCAL_FILES', 'local_infile=1', 'init_command=x', 'charset=gbk'].map((query) => `mysql://ro:S3CR3T@db/erp?${query}`),
    ...['TrustServerCertificate=yes', 'trusted_connection=yes', 'Encrypt=strict', 'AttachDbFilename=x', 'odbc_connect=x&driver=y'].map((query) => `mssql+pyodbc://ro:S3CR3T@db/erp?${query}`),
    // ODBC.
    `mssql+pyodbc://ro:S3CR3T@db/erp?odbc_connect=${encodeURIComponent('SERVER=x;DATABASE=y;UID=z;PWD=S3CR3T')}`,
    ...['DSN=x;UID=ro;PWD=S3CR3T', 'SERVER=db;DATABASE=erp;UID=ro;PWD={S3CR3T', 'SERVER=db;DATABASE=erp;UID=ro;PWD=S3CR3T;SERVER=x', 'SERVER=db;PWD=S3CR3T',
      'SERVER=db\\x;DATABASE=erp;UID=ro;PWD=S3CR3T', 'SERVER=(local);DATABASE=erp;UID=ro;PWD=S3CR3T', 'SERVER=db;DATABASE=erp;UID=ro;PWD=S3CR3T;TrustServerCertificate=yes', 'S3CR3T'].map(odbc),
    // SQLite.
    'sqlite://', 'sqlite:///', 'sqlite:///:memory:?S3CR3T=1', 'sqlite://host/sales.db', 'sqlite:///a%00b',
  ])('is refused, and nothing of it said: %s', (text) => {
    const said = read(text);
    expect(typeof said).toBe('string');
    expect(said).not.toMatch(/S3C|R3T|12345|\/etc|\berp\b/);
  }); // prettier-ignore

  it('keeps its password to itself, whoever prints it', () => {
    const target = readConnectionString('postgresql://ro:S3CR3T@db/erp');
    for (const printed of [JSON.stringify(target), inspect(target, { depth: 9 }), `${(target as any).password}`]) {
      expect(printed).not.toContain('S3CR3T');
    }
  });

  it('is refused as fast when it is long', () => {
    for (const filler of ['/', ';', '=', '{', '}', 'a=', '@', ':', '%25', ' ']) {
      read(`postgresql://${filler.repeat(4096)}`);
      read(odbc(filler.repeat(4096 / filler.length)));
      read(odbc(`PWD={${filler.repeat(4096 / filler.length)}`));
    }
  });
});
