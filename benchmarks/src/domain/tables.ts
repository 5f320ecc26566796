/** The benchmark's tables as Drizzle has them, and a database of them. */
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { poolOptions } from './connection.js';
import { ROLES } from './user.entity.js';

const moment = () => timestamp({ withTimezone: true }).notNull().defaultNow();

export const role = pgEnum('users_role_enum', ROLES);

export const companies = pgTable('companies', {
  id: serial().primaryKey(),
  name: varchar({ length: 100 }).notNull(),
  domain: varchar({ length: 100 }).notNull().unique(),
  description: text(),
  createdAt: moment(),
  updatedAt: moment(),
});

export const projects = pgTable('projects', {
  id: serial().primaryKey(),
  name: varchar({ length: 100 }).notNull(),
  description: text(),
  isActive: boolean().notNull().default(true),
  budget: numeric({ precision: 12, scale: 2 }),
  companyId: integer()
    .notNull()
    .references(() => companies.id),
  createdAt: moment(),
});

export const users = pgTable('users', {
  id: serial().primaryKey(),
  email: varchar({ length: 255 }).notNull().unique(),
  firstName: varchar({ length: 80 }).notNull(),
  lastName: varchar({ length: 80 }).notNull(),
  age: integer(),
  balance: numeric({ precision: 12, scale: 2 }),
  score: doublePrecision(),
  isActive: boolean().notNull().default(true),
  role: role().notNull().default('member'),
  tags: text().array(),
  settings: jsonb(),
  birthDate: date(),
  createdAt: moment(),
  updatedAt: moment().$onUpdate(() => new Date()),
  companyId: integer()
    .notNull()
    .references(() => companies.id),
  mainProjectId: integer().references(() => projects.id),
});

export const userProjects = pgTable(
  'user_projects',
  {
    userId: integer()
      .notNull()
      .references(() => users.id),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
  },
  ({ userId, projectId }) => [primaryKey({ columns: [userId, projectId] })],
);

export const userRelations = relations(users, ({ one, many }) => ({
  company: one(companies, { fields: [users.companyId], references: [companies.id] }),
  mainProject: one(projects, { fields: [users.mainProjectId], references: [projects.id] }),
  links: many(userProjects),
}));

export const linkRelations = relations(userProjects, ({ one }) => ({
  user: one(users, { fields: [userProjects.userId], references: [users.id] }),
  project: one(projects, { fields: [userProjects.projectId], references: [projects.id] }),
}));

const schema = { companies, projects, users, userProjects, userRelations, linkRelations };

export const connect = () => drizzle(new Pool(poolOptions()), { schema });
export type Database = ReturnType<typeof connect>;
