/**
 * Rows become instances of the entity's class as the ORM itself would make them: columns, embedded objects, to-one
 * relations.
 */
import { getOrInsert } from '@nestwright/crud/adapter';
import { NAMED_FORMAT, type Row, type RowFormat } from '../database/rows.js';
import { rowValueConverter } from './column-value.js';
import type { RecordShape } from './record-shape.js';
import { findColumn, setOwnProperty } from '../database/records.js';
import type { Column, Entity, Relation, Table } from '../database/database.js';

/** Makes a record of a row; null if a LEFT JOIN found nothing. */
type Hydrator = (row: Row) => Entity | null;

const hydrators = new WeakMap<RecordShape, Map<string, Hydrator>>();

/** The hydrator of a shape for rows of one format (by default as drivers give them), compiled at its first use. */
export function getHydrator(shape: RecordShape, format: RowFormat = NAMED_FORMAT): Hydrator {
  const byFormat = getOrInsert(hydrators, shape, () => new Map<string, Hydrator>());

  return getOrInsert(byFormat, format.signature, () => compileHydrator(shape, format));
}

function compileHydrator(shape: RecordShape, format: RowFormat): Hydrator {
  const { table } = shape;
  const presence = shape.presence.map((name) => format.key(name) as string);
  const discriminator = shape.discriminator === undefined ? undefined : (format.key(shape.discriminator) as string);
  const base = compileOwn(shape, table, format);
  const subclasses = new Map(
    discriminator === undefined
      ? []
      : table.children.map((child) => [child.discriminatorValue, compileOwn(shape, child, format)] as const),
  );

  return (row) => {
    if (presence.length > 0 && isAbsent(row, presence)) return null;

    const own = discriminator === undefined ? base : (subclasses.get(row[discriminator] as string) ?? base);
    const record = own.create();

    for (const { key, prepare, name, nested } of own.cells) {
      const value = prepare === undefined ? row[key] : prepare(row[key]);

      if (nested === undefined) record[name] = value;
      else nested.write(record, value);
    }

    for (const { relation, hydrate } of own.joined) setRelation(record, relation, hydrate(row));

    return record;
  };
}

/** Whether a LEFT JOIN found nothing. */
function isAbsent(row: Row, presence: readonly string[]): boolean {
  for (const key of presence) if (row[key] !== null && row[key] !== undefined) return false;

  return true;
}

/** A value of a row and the property that it becomes. */
interface CompiledCell {
  readonly key: string;
  readonly prepare: ((value: unknown) => unknown) | undefined;
  readonly name: string;
  /** The column if the property is an embedded object's. */
  readonly nested: Column | undefined;
}

/** The part of a shape that belongs to an entity (of several that share a table). */
interface OwnShape {
  readonly create: () => Entity;
  readonly cells: readonly CompiledCell[];
  readonly joined: readonly { readonly relation: Relation; readonly hydrate: Hydrator }[];
}

function compileOwn(shape: RecordShape, table: Table, format: RowFormat): OwnShape {
  const foreign = new Set(table.children.map(({ target }) => target));
  const relations = new Set(table.relations.map(({ propertyPath }) => propertyPath));
  const cells = shape.cells.filter(({ column }) => {
    const same = findColumn(table, column.propertyPath);

    return same !== undefined && !foreign.has(same.target);
  });

  return {
    create: () => table.createLoaded(),
    cells: cells.map(({ name, column }) => ({
      key: format.key(name) as string,
      prepare: rowValueConverter(column, format.findTextFormat(name)),
      name: column.propertyName,
      nested: column.embedded ? column : undefined,
    })),
    joined: shape.joined
      .filter(({ relation }) => relations.has(relation.propertyPath))
      .map(({ relation, shape: inner }) => ({ relation, hydrate: getHydrator(inner, format) })),
  };
}

/**
 * Sets a relation's property; the getter that an ORM puts in place of a lazy relation is replaced by what was read.
 */
export function setRelation(record: Entity, relation: Relation, value: Entity | Entity[] | null): void {
  if (relation.isLazy && !relation.embedded) setOwnProperty(record, relation.propertyName, value);
  else if (!relation.embedded && record[relation.propertyName] === undefined) record[relation.propertyName] = value;
  else relation.write(record, value);
}
