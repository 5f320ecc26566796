/** A small schema in each of Drizzle's dialects, with its tables in a database; columns are not called as their properties. */
import { relations } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import type { TestDatabase } from '../../../integration/test-support/index.js';
import { type DriverName, openDrizzle, type Opened, statementsOf, typesOf } from './dialects.js';

function makeTables(kind: TestDatabase['kind']) {
  const { table, key, text, boolean, oneOf, decimal, wide, json, day, moment, integer, now } = typesOf(kind);
  const changedAt = kind === 'sqlite' ? lite.integer('changed_at', { mode: 'timestamp' }) : moment('changed_at');
  const authors = table('authors', { id: key(), name: text(40).notNull() });
  const notes = table('notes', {
    id: key(),
    title: text(40).notNull().unique(),
    isDone: boolean('is_done').notNull().default(false),
    mood: oneOf('mood', 'calm', 'busy').notNull().default('calm'),
    price: decimal(),
    views: wide(),
    settings: kind === 'postgres' ? pg.jsonb() : json(),
    day: day(),
    createdAt: moment('created_at').notNull().default(now),
    deletedAt: moment('deleted_at'),
    changedAt: (changedAt as ReturnType<typeof moment>).$onUpdate(() => new Date()),
    version: integer().notNull().default(1),
    authorId: integer('author_id').references(() => authors.id),
  });
  return { authors, notes };
}

/** The schema, and its database. */
export type OpenShop = ReturnType<typeof makeTables> & Opened;
export async function openShop(database: Pick<TestDatabase, 'kind' | 'url'>, driver?: DriverName): Promise<OpenShop> {
  const { authors, notes } = makeTables(database.kind);
  const schema = {
    authors,
    notes,
    authorRelations: relations(authors, ({ many }) => ({ notes: many(notes) })),
    noteRelations: relations(notes, ({ one }) => ({
      author: one(authors, { fields: [notes.authorId], references: [authors.id] }),
    })),
  };
  const opened = await openDrizzle(database, schema, driver);
  await opened.run('DROP TABLE IF EXISTS notes', 'DROP TABLE IF EXISTS authors');
  if (database.kind === 'postgres') await opened.run('DROP TYPE IF EXISTS mood');
  await opened.run(...(await statementsOf(database.kind, schema)));
  return { authors, notes, ...opened };
}
