/** An entity in, the text of its row and the values of its placeholders out; undefined where a value is an expression or the text cannot be bound to other values. */
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { numberOf } from '../number-of.js';
import { ownText } from '../flat-text.js';
import { LruCache } from '../lru-cache.js';
import { OBJECT_BYTES, textBytes } from '../weight.js';
import { columnsToInsert, type RowTemplate, rowTemplate, storedValue } from './template.js';

/** A row to insert. */
export interface Row {
  readonly template: RowTemplate;
  readonly values: readonly unknown[];
}

const templates = new LruCache<{ readonly template: RowTemplate | undefined }>();

/** The row of an entity. */
export function rowOf(connection: DataSource, metadata: EntityMetadata, entity: ObjectLiteral): Row | undefined {
  const { bound } = dialectOf(connection);
  const columns = insertedColumns(metadata);
  const values = columns.map((column) => storedValue(column, entity));

  if (values.some((value) => typeof value === 'function')) {
    return undefined;
  }

  // Several classes may have one table.
  const shape = `${numberOf(metadata)} ${values.map((value) => (value === undefined ? '0' : '1')).join('')}`;
  const { template } = templates.get(connection, shape, (weigh) => {
    const written = rowTemplate(
      connection,
      metadata,
      entity,
      columns.filter((_, index) => values[index] !== undefined),
    );

    if (!written) return { template: undefined };

    const head = ownText(written.head);
    const row = written.row.map(ownText);

    weigh(row.reduce((sum, text) => sum + textBytes(text) + 2 * OBJECT_BYTES, textBytes(head)));

    return { template: { ...written, head, row, weigh } };
  });

  return template && { template, values: values.filter((value) => value !== undefined).map(bound) };
}

const inserted = new WeakMap<EntityMetadata, readonly ColumnMetadata[]>();

/** The columns that an INSERT of an entity names, in their order. */
export function insertedColumns(metadata: EntityMetadata): readonly ColumnMetadata[] {
  let columns = inserted.get(metadata);

  if (!columns) {
    columns = columnsToInsert(metadata);
    inserted.set(metadata, columns);
  }

  return columns;
}
