/** Rows become instances of the entity's class as the ORM itself would make them: columns, embedded objects, relations. */
import { getOrInsert } from '@nestwright/crud/adapter';
import { NAMED_FORMAT, type Row, type RowFormat } from '../database/rows.js';
import { keyText, makePresenceCheck } from '../rows/row-groups.js';
import { rowValueConverter } from './column-value.js';
import { type Member, membersOf, type RecordMembers } from './members.js';
import type { ReadShape, RelatedList } from './read-rows.js';
import type { Cell, RecordShape } from './record-shape.js';
import { setOwnProperty } from '../database/records.js';
import type { Column, Entity, Relation, Table } from '../database/database.js';

/** Makes a record of a row, with the lists of its to-many relations; null if a LEFT JOIN found nothing. */
type Hydrator = (row: Row, lists: readonly RelatedList<Entity[]>[]) => Entity | null;

const hydrators = new WeakMap<RecordShape, Map<string, Hydrator>>();

/** The hydrator of a read's records for rows of one format (by default as drivers give them), compiled at its first use. */
export function getHydrator(read: ReadShape, format: RowFormat = NAMED_FORMAT): Hydrator {
  const byFormat = getOrInsert(hydrators, read.shape, () => new Map<string, Hydrator>());

  return getOrInsert(byFormat, format.signature, () => compileHydrator(membersOf(read), format));
}

function compileHydrator({ shape, members }: RecordMembers, format: RowFormat): Hydrator {
  const { table } = shape;
  const isPresent = makePresenceCheck(shape.presence, format);
  const discriminator = shape.discriminator === undefined ? undefined : (format.key(shape.discriminator) as string);
  const base = compileOwn(members, table, format);
  const subclasses = new Map(
    discriminator === undefined
      ? []
      : table.children.map((child) => [child.discriminatorValue, compileOwn(members, child, format)] as const),
  );

  return (row, lists) => {
    if (!isPresent(row)) return null;

    const own = discriminator === undefined ? base : (subclasses.get(row[discriminator] as string) ?? base);
    const record = own.create();

    for (const { key, prepare, name, nested } of own.cells) {
      const value = prepare === undefined ? row[key] : prepare(row[key]);

      if (nested === undefined) record[name] = value;
      else nested.write(record, value);
    }

    for (const { relation, hydrate } of own.joined) setRelation(record, relation, hydrate(row, lists));
    for (const { relation, index, keys } of own.many) setRelation(record, relation, lists[index]!(keyText(row, keys)));

    return record;
  };
}

/** A value of a row and the property that it becomes. */
interface CompiledCell {
  readonly key: string;
  readonly prepare: ((value: unknown) => unknown) | undefined;
  readonly name: string;
  /** The column if the property is an embedded object's. */
  readonly nested: Column | undefined;
}

/** The members that belong to an entity (of several that share a table). */
interface OwnMembers {
  readonly create: () => Entity;
  readonly cells: readonly CompiledCell[];
  readonly joined: readonly { readonly relation: Relation; readonly hydrate: Hydrator }[];
  readonly many: readonly {
    readonly relation: Relation;
    readonly index: number;
    readonly keys: readonly (string | number)[];
  }[];
}

function compileOwn(members: readonly Member[], table: Table, format: RowFormat): OwnMembers {
  const foreign = new Set(table.children.map(({ target }) => target));
  const relations = new Set(table.relations.map(({ propertyPath }) => propertyPath));
  const isOwn = ({ propertyPath }: Column) => {
    const same = table.columns.find((column) => column.propertyPath === propertyPath);

    return same !== undefined && !foreign.has(same.target);
  };

  return {
    create: () => table.createLoaded(),
    cells: members.flatMap((member) =>
      member.kind === 'cell' && isOwn(member.column) ? [compileCell(member, format)] : [],
    ),
    joined: members.flatMap((member) =>
      member.kind === 'joined' && relations.has(member.relation.propertyPath)
        ? [{ relation: member.relation, hydrate: compileHydrator(member.record, format) }]
        : [],
    ),
    many: members.flatMap((member) =>
      member.kind === 'many' ? [{ ...member, keys: member.parentNames.map((name) => format.key(name)) }] : [],
    ),
  };
}

function compileCell({ name, column }: Cell, format: RowFormat): CompiledCell {
  return {
    key: format.key(name) as string,
    prepare: rowValueConverter(column, format.findTextFormat(name)),
    name: column.propertyName,
    nested: column.embedded ? column : undefined,
  };
}

/**
 * Sets a relation's property; the getter that an ORM puts in place of a lazy relation is replaced by what was read.
 */
function setRelation(record: Entity, relation: Relation, value: Entity | Entity[] | null): void {
  if (relation.isLazy && !relation.embedded) setOwnProperty(record, relation.propertyName, value);
  else if (!relation.embedded && record[relation.propertyName] === undefined) record[relation.propertyName] = value;
  else relation.write(record, value);
}
