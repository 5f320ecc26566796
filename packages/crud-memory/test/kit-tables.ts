/** The kit's tables in memory. */
import { randomUUID } from 'node:crypto';
import { STORE } from '@nestwright/crud/adapter';
import { type AdapterUnderTest, type OpenStore, TABLE_NAMES, type TableName } from '@nestwright/testing';
import { type ColumnDefinition, MemoryCrudService, MemoryDatabase, type TableDefinition } from '../src/index.js';
import type { MemoryStore } from '../src/memory-store.js';

const named = (name: string): new () => object => ({ [name]: class {} })[name]!;

type More = Partial<ColumnDefinition>;
const range = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const KEY: ColumnDefinition = { kind: 'integer', primary: true, counter: true, range };
const integer = (more: More = {}): ColumnDefinition => ({ kind: 'integer', range, ...more });
const text = (length: number, more: More = {}): ColumnDefinition => ({ kind: 'text', length, ...more });
const open = (kind: ColumnDefinition['kind'], more: More = {}): ColumnDefinition => ({ kind, nullable: true, ...more });

const OF_MEMBER = { references: 'members', onDelete: 'cascade' } as const;

const TABLES: Readonly<Record<string, TableDefinition>> = {
  teams: {
    model: named('Team'),
    columns: {
      id: KEY,
      name: text(40, { unique: true }),
      budget: open('decimal', { precision: 12, scale: 2 }),
      createdAt: { kind: 'datetime', source: 'createDate' },
      deletedAt: open('datetime', { source: 'deleteDate' }),
    },
    relations: { members: { many: 'members', of: 'teamId' } },
  },
  passports: {
    model: named('Passport'),
    columns: { id: KEY, number: text(20, { unique: true }) },
    relations: { member: { one: 'members', of: 'passportId' } },
  },
  members: {
    model: named('Member'),
    columns: {
      id: KEY,
      email: text(60, { unique: true }),
      'name.first': text(40, { nullable: true }),
      'name.last': text(40, { nullable: true }),
      age: integer({ nullable: true, check: (age: number) => age >= 0 && age <= 150 }),
      score: open('float'),
      points: open('bigint', { range: [-(2n ** 63n), 2n ** 63n - 1n] }),
      isActive: { kind: 'boolean', default: true },
      role: { kind: 'enum', members: ['admin', 'guest', 'member'], default: 'member' },
      settings: open('json'),
      bornOn: open('date'),
      joinedAt: open('datetime'),
      secret: text(40, { default: 'none' }),
      version: { kind: 'integer', source: 'version' },
      updatedAt: { kind: 'datetime', source: 'updateDate' },
      teamId: integer({ references: 'teams' }),
      passportId: integer({ nullable: true, unique: true, references: 'passports' }),
    },
    relations: {
      team: { one: 'teams', by: 'teamId' },
      passport: { one: 'passports', by: 'passportId', cascade: ['insert', 'update'] },
      badges: { many: 'badges', through: 'memberBadges' },
      notes: { many: 'notes', of: 'memberId', cascade: ['insert', 'update'] },
    },
  },
  badges: {
    model: named('Badge'),
    columns: { id: KEY, label: text(20, { unique: true }) },
    relations: { members: { many: 'members', through: 'memberBadges' } },
  },
  memberBadges: {
    model: named('MemberBadge'),
    columns: {
      memberId: integer({ primary: true, ...OF_MEMBER }),
      badgeId: integer({ primary: true, references: 'badges', onDelete: 'cascade' }),
    },
  },
  notes: {
    model: named('Note'),
    columns: { id: KEY, text: text(80), memberId: integer({ nullable: true, ...OF_MEMBER }) },
    relations: { member: { one: 'members', by: 'memberId' } },
  },
  seats: {
    model: named('Seat'),
    columns: {
      teamId: integer({ primary: true, references: 'teams' }),
      number: integer({ primary: true }),
      label: text(20, { nullable: true }),
    },
    relations: { team: { one: 'teams', by: 'teamId' } },
  },
  devices: {
    model: named('Device'),
    columns: { id: { kind: 'uuid', primary: true, default: randomUUID }, serial: text(20, { unique: true }) },
  },
};

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
