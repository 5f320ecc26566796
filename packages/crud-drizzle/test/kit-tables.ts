/** The conformance kit's tables in each of Drizzle's dialects, in a database. */
import { type AdapterUnderTest, TABLE_NAMES } from '@nestwright/testing';
import { getTableName, is, relations, sql, Table } from 'drizzle-orm';
import type { TestDatabase } from '../../../integration/test-support/index.js';
import { describeTable, DrizzleCrudService } from '../src/index.js';
import { openDrizzle, statementsOf, typesOf } from './dialects.js';

function makeTables(kind: TestDatabase['kind']) {
  const types = typesOf(kind);
  const { table, key, text, integer, moment, now } = types;
  const cascade = { onDelete: 'cascade' } as const;
  const required = () => integer().notNull();
  const teams = table('teams', {
    id: key(),
    name: text(40).notNull().unique(),
    budget: types.decimal(),
    createdAt: moment().notNull().default(now),
    deletedAt: moment(),
  });
  const passports = table('passports', { id: key(), number: text(20).notNull().unique() });
  const badges = table('badges', { id: key(), label: text(20).notNull().unique() });
  const members = table(
    'members',
    {
      id: key(),
      email: text(60).notNull().unique(),
      first: text(40),
      last: text(40),
      age: integer(),
      score: types.double(),
      points: types.wide(),
      isActive: types.boolean().notNull().default(true),
      role: types.oneOf('kit_role', 'admin', 'guest', 'member').notNull().default('member'),
      settings: types.json(),
      bornOn: types.day(),
      joinedAt: moment(),
      secret: text(40).notNull().default('none'),
      version: integer().notNull().default(1),
      updatedAt: moment().notNull().default(now),
      teamId: required().references(() => teams.id),
      passportId: integer()
        .unique()
        .references(() => passports.id),
    },
    () => [types.check('members_age', sql`age BETWEEN 0 AND 150`)],
  );
  const memberBadges = table(
    'member_badges',
    {
      memberId: required().references(() => members.id, cascade),
      badgeId: required().references(() => badges.id, cascade),
    },
    ({ memberId, badgeId }) => [types.primaryKey({ columns: [memberId, badgeId] })],
  );
  const notes = table('notes', {
    id: key(),
    text: text(80).notNull(),
    memberId: integer().references(() => members.id, cascade),
  });
  const seats = table(
    'seats',
    { teamId: required().references(() => teams.id), number: integer().notNull(), label: text(20) },
    ({ teamId, number }) => [types.primaryKey({ columns: [teamId, number] })],
  );
  return {
    teams,
    passports,
    badges,
    members,
    memberBadges,
    notes,
    seats,
    devices: table('devices', { id: types.uuid(), serial: text(20).notNull().unique() }),
    teamRelations: relations(teams, ({ many }) => ({ members: many(members) })),
    passportRelations: relations(passports, ({ one }) => ({ member: one(members) })),
    memberRelations: relations(members, ({ one, many }) => ({
      team: one(teams, { fields: [members.teamId], references: [teams.id] }),
      passport: one(passports, { fields: [members.passportId], references: [passports.id] }),
      notes: many(notes),
    })),
    noteRelations: relations(notes, ({ one }) => ({
      member: one(members, { fields: [notes.memberId], references: [members.id] }),
    })),
    seatRelations: relations(seats, ({ one }) => ({
      team: one(teams, { fields: [seats.teamId], references: [teams.id] }),
    })),
  };
}

/** The tables and their relations; what their metadata do not say is described. */
export function describeTables(kind: TestDatabase['kind']): ReturnType<typeof makeTables> {
  const schema = makeTables(kind);
  const { teams, badges, members, memberBadges, devices } = schema;
  const isLite = kind === 'sqlite';
  const dates = { createdAt: 'createdAt', deletedAt: 'deletedAt' } as const;
  describeTable(teams, { ...dates, ...(isLite && { columns: { budget: { precision: 12, scale: 2 } } }) });
  describeTable(members, {
    version: 'version',
    updatedAt: 'updatedAt',
    embedded: { name: { first: 'first', last: 'last' } },
    cascade: { passport: ['insert', 'update'], notes: ['insert', 'update'] },
    manyToMany: { badges: { table: badges, through: memberBadges } },
    ...(isLite && { columns: { bornOn: { kind: 'date' }, points: { kind: 'bigint' } } }),
  });
  describeTable(badges, { manyToMany: { members: { table: members, through: memberBadges } } });
  if (kind !== 'postgres') describeTable(devices, { columns: { id: { kind: 'uuid' } } });
  return schema;
}

/** Drizzle on a database. */
export function onDrizzle(database: TestDatabase): AdapterUnderTest {
  const { kind } = database;
  return {
    name: `Drizzle on ${kind}`,
    roundsWideIntegers: kind === 'sqlite',
    async open() {
      const schema = describeTables(kind);
      const tables = Object.values(schema).filter((one) => is(one, Table));
      const { db, run, close } = await openDrizzle(database, schema);
      await run(...(await statementsOf(kind, schema)));
      const resource = (table: Table) => ({
        model: table,
        service: class extends DrizzleCrudService<Table> {
          constructor() {
            super(db, table);
          }
        },
      });
      return {
        resources: Object.fromEntries(TABLE_NAMES.map((name) => [name, resource(schema[name])])) as never,
        clear: () => run(...tables.toReversed().map((table) => `DELETE FROM ${getTableName(table)}`)),
        close,
      };
    },
  };
}
