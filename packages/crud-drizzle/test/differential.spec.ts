/** The same tables by Drizzle and by TypeORM: what the example application answers, a resource of Drizzle answers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { relations, type Table } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import { createPool } from 'mysql2/promise';
import pgDriver from 'pg';
import { createApp } from '../../../integration/example/src/app.js';
import { describeDatabases, type TestDatabase } from '../../../integration/test-support/index.js';
import { Api, start, stopAll } from '../../crud/test/support/application.js';
import { type DrizzleDatabase, DrizzleCrudService, modelOf } from '../src/index.js';

const postgresTables = () => {
  const moment = (name: string) => pg.timestamp(name, { withTimezone: true, precision: 3 });
  const companies = pg.pgTable('companies', {
    id: pg.serial().primaryKey(),
    name: pg.varchar({ length: 100 }).notNull(),
    domain: pg.varchar({ length: 100 }).notNull().unique(),
    description: pg.text(),
    createdAt: moment('createdAt').notNull().defaultNow(),
    updatedAt: moment('updatedAt').notNull().defaultNow(),
    deletedAt: moment('deletedAt'),
  });
  const projects = pg.pgTable('projects', {
    id: pg.serial().primaryKey(),
    name: pg.varchar({ length: 100 }).notNull(),
    description: pg.text(),
    isActive: pg.boolean().notNull().default(true),
    budget: pg.numeric({ precision: 12, scale: 2, mode: 'number' }),
    companyId: pg
      .integer()
      .notNull()
      .references(() => companies.id),
    createdAt: moment('createdAt').notNull().defaultNow(),
  });
  const devices = pg.pgTable('devices', {
    id: pg.uuid().primaryKey().defaultRandom(),
    serial: pg.varchar({ length: 40 }).notNull().unique(),
    description: pg.text(),
  });
  const categories = pg.pgTable('categories', {
    id: pg.serial().primaryKey(),
    name: pg.varchar({ length: 80 }).notNull(),
    parentId: pg.integer(),
  });

  return { companies, projects, devices, categories };
};

const mysqlTables = () => {
  const moment = (name: string) => my.datetime(name, { fsp: 3 });
  const companies = my.mysqlTable('companies', {
    id: my.int().autoincrement().primaryKey(),
    name: my.varchar({ length: 100 }).notNull(),
    domain: my.varchar({ length: 100 }).notNull().unique(),
    description: my.text(),
    createdAt: moment('createdAt').notNull(),
    updatedAt: moment('updatedAt').notNull(),
    deletedAt: moment('deletedAt'),
  });
  const projects = my.mysqlTable('projects', {
    id: my.int().autoincrement().primaryKey(),
    name: my.varchar({ length: 100 }).notNull(),
    description: my.text(),
    isActive: my.boolean().notNull().default(true),
    budget: my.decimal({ precision: 12, scale: 2, mode: 'number' }),
    companyId: my
      .int()
      .notNull()
      .references(() => companies.id),
    createdAt: moment('createdAt').notNull(),
  });
  const devices = my.mysqlTable('devices', {
    id: my.varchar({ length: 36 }).primaryKey(),
    serial: my.varchar({ length: 40 }).notNull().unique(),
    description: my.text(),
  });
  const categories = my.mysqlTable('categories', {
    id: my.int().autoincrement().primaryKey(),
    name: my.varchar({ length: 80 }).notNull(),
    parentId: my.int(),
  });

  return { companies, projects, devices, categories };
};

type Tables = ReturnType<typeof postgresTables>;

function openTables({ kind, url }: TestDatabase) {
  const tables = (kind === 'postgres' ? postgresTables() : mysqlTables()) as unknown as Tables;
  const { companies, projects, categories } = tables;
  const schema = {
    ...tables,
    ofCompanies: relations(companies, ({ many }) => ({ projects: many(projects) })),
    ofProjects: relations(projects, ({ one }) => ({
      company: one(companies, { fields: [projects.companyId], references: [companies.id] }),
    })),
    ofCategories: relations(categories, ({ one, many }) => ({
      parent: one(categories, { fields: [categories.parentId], references: [categories.id], relationName: 'tree' }),
      children: many(categories, { relationName: 'tree' }),
    })),
  };
  if (kind === 'postgres') {
    const pool = new pgDriver.Pool({ connectionString: url });

    return { ...tables, db: drizzlePostgres(pool, { schema }) as DrizzleDatabase, close: () => pool.end() };
  }
  const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), timezone: 'Z' });
  const db = drizzleMysql(pool as never, { schema, mode: 'default' }) as unknown as DrizzleDatabase;

  return { ...tables, db, close: () => pool.end() };
}

const REQUESTS = [
  '/companies',
  '/companies?sort=name,DESC&limit=3',
  '/companies?sort=id,ASC&limit=4&page=2',
  '/companies?fields=name,domain&sort=id,ASC&limit=2',
  '/companies?filter=name||contL||a&sort=id,ASC',
  '/companies?filter=description||isnull&sort=id,ASC',
  '/companies?filter=createdAt||lt||2030-01-01&sort=createdAt,ASC&sort=id,ASC',
  '/companies?filter=id||in||1,3,5&sort=id,DESC',
  '/companies?filter=id||between||2,4&sort=id,ASC',
  '/companies?or=id||eq||1&or=name||starts||G&sort=id,ASC',
  '/companies?join=projects&sort=id,ASC&limit=3',
  '/companies?join=projects||name,budget&fields=name&sort=id,ASC&limit=3',
  '/companies?join=projects&filter=projects.isActive||eq||false&sort=id,ASC',
  '/companies?includeDeleted=1&sort=id,ASC',
  `/companies?s=${encodeURIComponent('{"$or":[{"id":{"$gt":4}},{"$not":{"name":{"$contL":"e"}}}]}')}&sort=id,ASC`,
  '/companies/1',
  '/companies/1?join=projects',
  '/companies/999',
  '/companies/x',
  '/companies?filter=nothing||eq||1',
  '/companies?filter=id||eq||x',
  '/companies?sort=nothing,ASC',
  '/companies?limit=x',
  '/companies?join=nothing',
  '/companies?filter=createdAt||eq||never',
  '/projects?sort=budget,DESC&sort=id,ASC',
  '/projects?filter=budget||gte||100.5&sort=id,ASC&page=2&limit=4',
  '/projects?filter=company.name||contL||a&sort=company.name,ASC&sort=id,ASC',
  '/projects?filter=isActive||eq||true&sort=id,ASC&limit=5',
  '/projects/3',
  '/devices?sort=serial,ASC&limit=5',
  '/devices?filter=description||notnull&sort=serial,DESC&limit=5',
  '/devices?filter=serial||ends||1&sort=serial,ASC',
  '/categories?join=parent&join=children&sort=id,ASC',
  '/categories?join=parent&join=parent.parent&filter=parent.parent.name||notnull&sort=id,ASC',
  '/categories?join=children&join=children.children&sort=name,DESC',
];

describeDatabases(
  'Drizzle beside TypeORM',
  (db) => {
    let typeorm: Api;
    let drizzle: Api;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const app = await createApp({ databaseUrl: db.url, http: 'express', logger: false });
      await app.init();
      typeorm = new Api(app);
      const { companies, projects, devices, categories, ...open } = openTables(db);
      close = open.close;

      const resources = [
        {
          path: 'companies',
          table: companies,
          model: 'Company',
          options: { deletedAt: 'deletedAt', createdAt: 'createdAt', updatedAt: 'updatedAt' },
          query: { softDelete: true, maxLimit: 500, join: { projects: {} } },
        },
        {
          path: 'projects',
          table: projects,
          model: 'Project',
          options: { createdAt: 'createdAt' },
          query: { alwaysPaginate: true, limit: 10, join: { company: { required: true } } },
        },
        {
          path: 'devices',
          table: devices,
          model: 'Device',
          options: {},
          query: {},
          params: { id: { field: 'id', type: 'uuid', primary: true } },
        },
        {
          path: 'categories',
          table: categories,
          model: 'Category',
          options: {},
          query: { join: { parent: {}, children: {}, 'parent.parent': {}, 'children.children': {} } },
        },
      ].map(({ path, table, model, options, query, ...more }) => {
        @Injectable()
        class Service extends DrizzleCrudService<Table> {
          constructor() {
            super(open.db, table, options as never);
          }
        }

        @Crud({ model: { type: modelOf<object>(table, model) }, query: query as never, ...(more as object) })
        @Controller(path)
        class Resource {
          constructor(readonly service: Service) {}
        }

        return { Service, Resource };
      });

      drizzle = await start({
        controllers: resources.map(({ Resource }) => Resource),
        providers: resources.map(({ Service }) => Service),
      });
    }, 60_000);
    afterAll(async () => {
      await stopAll();
      await typeorm?.app.close();
      await close?.();
    });

    const answer = async (api: Api, path: string) => {
      const { status, body } = await api.get(path);

      return { status, body: body as unknown };
    };

    test.each(REQUESTS)('GET %s', async (path) => {
      const expected = await answer(typeorm, path);
      expect(await answer(drizzle, path)).toEqual(expected);
    });

    test('what one writes, the other reads', async () => {
      const { body } = await drizzle.post('/companies', { name: 'By Drizzle', domain: 'drizzle.example' }).expect(201);
      const { id } = body as { id: number };
      expect((await answer(typeorm, `/companies/${id}`)).body).toEqual(body);

      const changed = await typeorm.patch(`/companies/${id}`, { description: 'By TypeORM' }).expect(200);
      expect((await answer(drizzle, `/companies/${id}`)).body).toEqual(changed.body);

      const bad = { name: 'x'.repeat(101), domain: 'drizzle.example' };
      expect((await drizzle.post('/companies', bad)).status).toBe(400);
      const taken = await drizzle.post('/companies', { name: 'x', domain: 'drizzle.example' }).expect(409);
      // MySQL tells the name of the index alone, which is TypeORM's here.
      const field = db.kind === 'postgres' ? { field: 'domain' } : {};
      expect(taken.body).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', ...field });
      await drizzle.delete(`/companies/${id}`).expect(200);
      expect((await answer(typeorm, `/companies/${id}`)).status).toBe(404);
      await typeorm.patch(`/companies/${id}/recover`, {}).expect(200);
      expect((await answer(drizzle, `/companies/${id}`)).status).toBe(200);
    });
  },
  ['postgres', 'mysql'],
);
