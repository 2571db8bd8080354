/** What the process that reads SQLite files is asked, and what it answers. */
import type { Catalog, CatalogWish, TableSample } from '../catalog';
import type { DatabaseLimits, DatabaseOutcome, TableName } from '../database-engine';

interface OfFile {
  readonly folder: string;
  readonly path: string;
  readonly maxBytes: number;
}

export type SqliteTask =
  | { readonly do: 'warm' }
  | (OfFile & { readonly do: 'catalog'; readonly wish: CatalogWish })
  | (OfFile & { readonly do: 'sample'; readonly tables: readonly TableName[] })
  | (OfFile & { readonly do: 'query'; readonly sql: string; readonly limits: DatabaseLimits });

export type SqliteAnswer =
  | { readonly kind: 'warm' }
  | { readonly kind: 'catalog'; readonly catalog: Catalog }
  | { readonly kind: 'samples'; readonly samples: TableSample[] }
  | { readonly kind: 'outcome'; readonly outcome: DatabaseOutcome }
  | { readonly kind: 'denied'; readonly detail: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'busy' };
