/** Data sources of databases that are not there: they know their entities, and nothing is sent to them. */
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';

/** A data source that has built its metadata. */
export async function unconnected(
  options: object & { readonly type: DataSourceOptions['type'] },
  ...entities: EntityTarget<ObjectLiteral>[]
): Promise<DataSource> {
  const source = new DataSource({ database: 'none', ...options, entities } as DataSourceOptions);
  // What `initialize()` does after it has connected.
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  return source;
}
