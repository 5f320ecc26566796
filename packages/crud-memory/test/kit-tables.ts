/** The kit's tables in memory. */
import { randomUUID } from 'node:crypto';
import { STORE } from '@nestwright/crud/adapter';
import { TABLE_NAMES, TABLES as TEXTS } from '@nestwright/testing';
import type { AdapterUnderTest, ColumnText, OpenStore, TableName } from '@nestwright/testing';
import { type ColumnDefinition, MemoryCrudService, MemoryDatabase } from '../src/index.js';
import type { RelationDefinition, TableDefinition } from '../src/index.js';
import type { MemoryStore } from '../src/memory-store.js';

const INTEGER: ColumnDefinition = { kind: 'integer', range: [-(2n ** 31n), 2n ** 31n - 1n] };

/** By the words of the kit; all others are texts of a length. */
const TYPES: Readonly<Record<string, ColumnDefinition>> = {
  integer: INTEGER,
  'integer, from 0 to 150 by a check': { ...INTEGER, check: (age: number) => age >= 0 && age <= 150 },
  '64 bits': { kind: 'bigint', range: [-(2n ** 63n), 2n ** 63n - 1n] },
  double: { kind: 'float' },
  'decimal(12,2)': { kind: 'decimal', precision: 12, scale: 2 },
  boolean: { kind: 'boolean' },
  'one of admin, guest, member': { kind: 'enum', members: ['admin', 'guest', 'member'] },
  JSON: { kind: 'json' },
  day: { kind: 'date' },
  moment: { kind: 'datetime' },
  'uuid, made for new records': { kind: 'uuid', default: randomUUID },
};

const ROLES: Readonly<Record<NonNullable<ColumnText['is']>, Partial<ColumnDefinition>>> = {
  key: { primary: true },
  counter: { primary: true, counter: true },
  unique: { unique: true },
  created: { source: 'createDate' },
  updated: { source: 'updateDate' },
  deleted: { source: 'deleteDate' },
  version: { source: 'version' },
};

function columnOf({ type, nullable, is, default: value, refers }: ColumnText): ColumnDefinition {
  const [references, onDelete] = refers?.split(', ') ?? [];
  return {
    ...(TYPES[type] ?? { kind: 'text', length: Number(/\d+/.exec(type)) }),
    ...(nullable && { nullable }),
    ...(is && ROLES[is]),
    ...(value !== undefined && { default: value === 'true' || value }),
    ...(references !== undefined && { references }),
    ...(onDelete === 'cascade' && { onDelete }),
  };
}

function relationOf(text: string, columns: object): RelationDefinition {
  const [, count = '', table, how, name = '', more] = /^(\w+) (\w+) (by|through) (\w+)(;.*)?$/.exec(text) ?? [];
  const by = name in columns ? 'by' : 'of';
  const cascade = more !== undefined && { cascade: ['insert', 'update'] };
  return { [count]: table, [how === 'by' ? by : 'through']: name, ...cascade } as unknown as RelationDefinition;
}

const map = <V, W>(all: object, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value as V)]));

const TABLES = map(TEXTS, ({ columns, relations }: (typeof TEXTS)[TableName]): TableDefinition => ({
  model: class {},
  columns: map(columns, columnOf),
  relations: map(relations, (text: string) => relationOf(text, columns)),
}));

/** What is done to a store before it is used. */
export type Damage = (store: MemoryStore, database: MemoryDatabase) => void;

/** The store of the kit's tables. */
export function openMemory(damage?: Damage): OpenStore {
  const database = new MemoryDatabase(TABLES);
  const resource = (name: TableName) => ({
    model: TABLES[name]!.model,
    service: class extends MemoryCrudService<object> {
      constructor() {
        super(database, name);
        damage?.(this[STORE], database);
      }
    },
  });
  return {
    resources: Object.fromEntries(
      TABLE_NAMES.map((name) => [name, resource(name)]),
    ) as unknown as OpenStore['resources'],
    clear: () => Promise.resolve(database.clear()),
    close: () => Promise.resolve(),
  };
}

/** Records in memory, damaged if the caller says how. */
export function inMemory(name = 'in memory', damage?: Damage): AdapterUnderTest {
  return { name, open: () => Promise.resolve(openMemory(damage)) };
}
