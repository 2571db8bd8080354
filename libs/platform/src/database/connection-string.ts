import type { DataSource } from 'typeorm';

/** The URL that a data source of `openDatabase` connects to, for drivers that need connections of their own. */
export function connectionStringOf({ options }: DataSource): string {
  const { connectionString } = ('extra' in options ? options.extra : {}) as { connectionString?: string };
  if (!connectionString) throw new Error('This data source was not made by openDatabase');
  return connectionString;
}
