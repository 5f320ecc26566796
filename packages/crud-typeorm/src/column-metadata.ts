/** TypeORM's metadata of a column, which its index exports on no version by name; a type alone. */
import type { EntityMetadata } from 'typeorm';

/** Metadata of one column. */
export type ColumnMetadata = EntityMetadata['columns'][number];
