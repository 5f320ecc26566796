/** The example's tables and their relations. */
import { describeTable } from '@nestwright/crud-drizzle';
import { Profile } from '@nestwright/example';
import { relations, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type ColumnTypes, INTEGER } from './column-types.js';

export type Schema = ReturnType<typeof makeSchema>;

export function makeSchema(types: ColumnTypes) {
  const { table, key, text, varchar, integer, boolean, moment, now } = types;
  const restrict = { onDelete: 'restrict' } as const;
  const cascade = { onDelete: 'cascade' } as const;

  const companies = table('companies', {
    id: key(),
    name: varchar(100).notNull(),
    domain: varchar(100).notNull().unique(),
    description: text(),
    createdAt: moment().notNull().default(now),
    updatedAt: moment().notNull().default(now),
    deletedAt: moment(),
  });

  const profiles = table('user_profiles', {
    id: key(),
    bio: text(),
    city: varchar(80),
    createdAt: moment().notNull().default(now),
  });

  const users = table(
    'users',
    {
      id: key(),
      email: varchar(255).notNull().unique(),
      nameFirst: varchar(80),
      nameLast: varchar(80),
      password: varchar(100).notNull(),
      age: integer(),
      balance: types.decimal(),
      score: types.double(),
      isActive: boolean().notNull().default(true),
      role: types.role().notNull().default('member'),
      tags: types.list(),
      settings: types.json(),
      birthDate: types.day(),
      version: integer().notNull().default(1),
      createdAt: moment().notNull().default(now),
      updatedAt: moment().notNull().default(now),
      companyId: integer()
        .notNull()
        .references(() => companies.id, restrict),
      profileId: integer()
        .unique()
        .references(() => profiles.id, restrict),
    },
    ({ age }) => [types.check('CHK_users_age', sql`${age} BETWEEN 0 AND 150`)],
  );

  const projects = table(
    'projects',
    {
      id: key(),
      name: varchar(100).notNull(),
      description: text(),
      isActive: boolean().notNull().default(true),
      budget: types.decimal(),
      companyId: integer()
        .notNull()
        .references(() => companies.id, restrict),
      createdAt: moment().notNull().default(now),
    },
    ({ budget }) => [types.check('CHK_projects_budget', sql`${budget} >= 0`)],
  );

  const userProjects = table(
    'user_projects',
    {
      userId: integer()
        .notNull()
        .references(() => users.id, cascade),
      projectId: integer()
        .notNull()
        .references(() => projects.id, cascade),
    },
    ({ userId, projectId }) => [types.primaryKey({ columns: [userId, projectId] })],
  );

  const devices = table('devices', {
    id: types.uuidKey(),
    serial: varchar(40).notNull().unique(),
    description: text(),
  });

  const memberships = table(
    'memberships',
    {
      companyId: integer()
        .notNull()
        .references(() => companies.id, restrict),
      userId: integer()
        .notNull()
        .references(() => users.id, restrict),
      role: varchar(20).notNull(),
      since: types.day(),
    },
    ({ companyId, userId }) => [types.primaryKey({ columns: [companyId, userId] })],
  );

  const categories = table('categories', {
    id: key(),
    name: varchar(80).notNull(),
    parentId: integer().references((): AnyPgColumn => categories.id, restrict),
  });

  const events = table('events', {
    id: types.bigKey(),
    kind: varchar(40).notNull(),
    payload: types.json(),
    at: moment().notNull().default(now),
  });

  // It has no service, but is written with its user.
  describeTable(profiles, { model: Profile, createdAt: 'createdAt', columns: { id: INTEGER } });

  return {
    ...types.more,
    companies,
    profiles,
    users,
    projects,
    userProjects,
    devices,
    memberships,
    categories,
    events,
    companyRelations: relations(companies, ({ many }) => ({ users: many(users), projects: many(projects) })),
    profileRelations: relations(profiles, ({ one }) => ({ user: one(users) })),
    userRelations: relations(users, ({ one }) => ({
      company: one(companies, { fields: [users.companyId], references: [companies.id] }),
      profile: one(profiles, { fields: [users.profileId], references: [profiles.id] }),
    })),
    projectRelations: relations(projects, ({ one }) => ({
      company: one(companies, { fields: [projects.companyId], references: [companies.id] }),
    })),
    membershipRelations: relations(memberships, ({ one }) => ({
      company: one(companies, { fields: [memberships.companyId], references: [companies.id] }),
      user: one(users, { fields: [memberships.userId], references: [users.id] }),
    })),
    categoryRelations: relations(categories, ({ one, many }) => ({
      parent: one(categories, { fields: [categories.parentId], references: [categories.id], relationName: 'tree' }),
      children: many(categories, { relationName: 'tree' }),
    })),
  };
}
