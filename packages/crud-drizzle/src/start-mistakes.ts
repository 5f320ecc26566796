import type { Catalog, ResourceDefinition } from '@nestwright/crud/adapter';
import { getTableName, type Table } from 'drizzle-orm';

/** `query.join` names relations, and the database was made without any. */
export function* untoldRelations(
  { options: { query } }: ResourceDefinition,
  { relations }: Catalog,
  table: Table,
): Generator<string> {
  if (Object.keys(query.join ?? {}).length > 0 && relations.size === 0) {
    yield (
      `query.join is set, but drizzle() knows no relations of ${getTableName(table)}: declare them by relations(), and ` +
      'pass tables and relations as its option schema'
    );
  }
}
