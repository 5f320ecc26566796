/** Relations of tables: those of Drizzle's `relations()`, and many-to-many ones, which it does not know. */
import type { Column, Entity, Junction, Relation, Table } from '@nestwright/sql';
import {
  getTableColumns,
  is,
  Many,
  normalizeRelation,
  One,
  type Relation as DrizzleRelation,
  type Table as DrizzleTable,
} from 'drizzle-orm';
import { linkReferences } from './columns.js';
import { sameColumns } from './constraints.js';
import { optionsOf, type TableOptions } from './table-options.js';
import type { KnownTables, Schema } from './known-tables.js';

export function relationsOf(
  drizzle: DrizzleTable,
  table: Table,
  options: TableOptions,
  tables: KnownTables,
): Relation[] {
  const { schema } = tables;
  const key =
    schema && Object.keys(schema.tables).find((name) => schema.tables[name]!.columns === getTableColumns(drizzle));
  const own = Object.values((key !== undefined && schema?.tables[key]?.relations) || {});

  return [
    ...own.flatMap((relation) => relate(relation, table, schema!, tables) ?? []),
    ...Object.entries(options.manyToMany ?? {}).map(([name, far]) =>
      relateThrough(name, [drizzle, table], far, tables),
    ),
  ];
}

/** Where the related records are, and what is the same for all relations of Drizzle. */
function propertyOf(name: string) {
  return {
    propertyName: name,
    propertyPath: name,
    embedded: undefined,
    isLazy: false,
    orphans: undefined,
    read: (record: Entity) => record[name] as unknown,
    write: (record: Entity, value: unknown) => void (record[name] = value),
  };
}

/** Undefined for a relation that only one side declares: Drizzle itself cannot tell its columns. */
function relate(drizzle: DrizzleRelation, table: Table, schema: Schema, tables: KnownTables): Relation | undefined {
  const known = columnsOf(drizzle, schema);
  if (!known) return undefined;
  const { fields, references } = known;
  const isOwning = is(drizzle, One) && drizzle.config !== undefined;
  const joinColumns = isOwning ? tables.columnsOf(fields) : [];
  const relation: Relation = {
    ...propertyOf(drizzle.fieldName),
    table,
    get inverseTable() {
      return tables.find(drizzle.referencedTable);
    },
    get inverseRelation() {
      return relation.inverseTable.relations.find((other) => isInverse(other, relation));
    },
    get foreignKeys() {
      return isOwning ? table.foreignKeys.filter(({ columns }) => sameColumns(columns, joinColumns)) : [];
    },
    joinColumns,
    isWithJoinColumn: isOwning,
    isToMany: is(drizzle, Many),
    junction: undefined,
  };
  keys.set(relation, () => (isOwning ? joinColumns : tables.columnsOf(references)));
  if (isOwning) linkReferences(joinColumns, tables.columnsOf(references));

  return relation;
}

function columnsOf(drizzle: DrizzleRelation, { tables, tableNamesMap }: Schema) {
  try {
    return normalizeRelation(tables, tableNamesMap, drizzle);
  } catch {
    return undefined;
  }
}

/** The columns of the foreign key that a relation and its inverse share. */
const keys = new WeakMap<Relation, () => readonly Column[]>();

function isInverse(other: Relation, relation: Relation): boolean {
  return (
    other.isWithJoinColumn !== relation.isWithJoinColumn &&
    other.inverseTable === relation.table &&
    sameColumns(keys.get(other)?.() ?? [], keys.get(relation)!())
  );
}

function relateThrough(
  name: string,
  [drizzle, table]: readonly [DrizzleTable, Table],
  far: { readonly table: DrizzleTable; readonly through: DrizzleTable },
  tables: KnownTables,
): Relation {
  const inverse = Object.entries(optionsOf(far.table).manyToMany ?? {}).find(
    ([, one]) => one.table === drizzle && one.through === far.through,
  );
  let junction: Junction | undefined;
  const relation: Relation = {
    ...propertyOf(name),
    table,
    get inverseTable() {
      return tables.find(far.table);
    },
    get inverseRelation() {
      return inverse && relation.inverseTable.relations.find(({ propertyName }) => propertyName === inverse[0]);
    },
    get junction() {
      return (junction ??= junctionOf(relation, tables.find(far.through)));
    },
    foreignKeys: [],
    joinColumns: [],
    isWithJoinColumn: false,
    isToMany: true,
  };

  return relation;
}

function junctionOf({ table, inverseTable, propertyName }: Relation, through: Table): Junction {
  const referring = (to: Table) => through.foreignKeys.filter(({ referencedTable }) => referencedTable === to);
  const [own, second] = referring(table);
  const far = table === inverseTable ? second : referring(inverseTable)[0];
  if (!own || !far) {
    throw new Error(
      `manyToMany.${propertyName} of ${table.tableName}: ${through.tableName} needs foreign keys to ` +
        `${table.tableName} and ${inverseTable.tableName}`,
    );
  }
  for (const { columns, referencedColumns } of [own, far]) linkReferences(columns, referencedColumns);

  return { table: through, own: own.columns, other: far.columns };
}
