import { createLogger, loadConfig, openDatabase } from '@app/platform';

/** A server process that writes one row after the other and tells its parent of each once it is committed. */
async function main(dataDir: string): Promise<void> {
  const { dataSource } = await openDatabase(loadConfig({ DATA_DIR: dataDir }), {
    entities: [],
    migrations: [],
    logger: createLogger({ logging: { level: 'silent' } }),
  });
  await dataSource.query('CREATE TABLE IF NOT EXISTS numbers (n int PRIMARY KEY)');
  for (let n = 0; ; n++) {
    const written = await dataSource.query('INSERT INTO numbers VALUES ($1)', [n]).then(
      () => true,
      () => false,
    );
    if (written) process.send!(n);
  }
}

void main(process.argv[2]!);
