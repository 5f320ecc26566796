/** Plans → the exact statements of each database, and as many of them kept as the budget of bytes allows. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { JoinOptions } from '@nestwright/crud';
import { planFrom } from '@nestwright/crud/adapter';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { makeDraft } from '@nestwright/sql';
import type { DataSource } from 'typeorm';
import { compiledRead, compileWhere } from '../../../sql/src/select/index.js';
import { Author, Country, ENTITIES, library, planOf, requestOf, Shelf } from './library.js';
import { unconnected } from '../support/unconnected.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { cachedBytes } from '../../../sql/src/lru-cache.js';
import { toDatabase } from '../../src/typeorm/database.js';

const FIVE = { fields: ['id'], limit: 5 };
const on = (field: string, ...select: string[]) => ({ field, select });

const FIELDS = ['name', 'score', 'active', 'role', 'big', 'seenAt', 'settings', 'tags'] as const;

const LATER = 'score > ? ORDER BY score, id';
const TIED = 'score = ? AND id > ? ORDER BY id';

/** Requests of which no two have the same shape. */
const shape = (number: number): Partial<ParsedRequestParams> => ({
  fields: ['id', ...FIELDS.filter((_, index) => (number >> index) % 2 === 1)],
  join: [on('books'), on('circles', 'title')],
  search: { id: { $in: [1, 2, 3] } },
  limit: 3,
  page: 1,
});

const request = (parsed: object, join: JoinOptions = {}) =>
  requestOf(parsed as Partial<ParsedRequestParams>, { query: { join } });
const quoted = (sql: string) => sql.replaceAll('`', '"');

describe.each<DatabaseKind>(['sqlite', 'postgres', 'mysql'])('statements for %s, without a server', (kind) => {
  let source: DataSource;
  beforeAll(async () => (source = await unconnected({ type: kind === 'sqlite' ? 'sqljs' : kind }, ...ENTITIES)));

  test('of a page, its total, and its lists with conditions and a relation within one', () => {
    const search = { id: 9, 'books.reviews.stars': 5, 'circles.id': 1 };
    const parsed = { ...FIVE, search, join: [on('books', 'id'), on('books.shelf', 'wood')] };
    const plan = planOf(source, Author, request(parsed, { books: {}, 'books.shelf': {} }));
    const draft = makeDraft(plan, toDatabase(source), {});
    const { page, total, related } = compiledRead(draft);
    const statements = [page, total(draft), ...related.map(({ statement }) => statement(2, draft))];
    const place = (number: number) => (kind === 'postgres' ? `$${number}` : '?');
    const exists = (bound: string, first: number) =>
      'EXISTS (SELECT 1 FROM "authors" "c0" LEFT JOIN "books" "c1" ON "c1"."authorId" = "c0"."id" AND "c1"."deletedAt" IS NULL LEFT JOIN "reviews" "c2" ON "c2"."bookId" = "c1"."id" ' +
      'LEFT JOIN ("authors_circles" "c3_link" INNER JOIN "circles" "c3" ON "c3_link"."circlesId" = "c3"."id" AND "c3"."deletedAt" IS NULL) ON "c3_link"."authorsId" = "c0"."id" ' +
      `WHERE "c0"."id" = "Author"."id"${bound} AND "c2"."stars" = ${place(first)} AND "c3"."id" = ${place(first + 1)})`;
    const from = `FROM "authors" "Author" WHERE "Author"."id" = ${place(1)} AND ${exists('', 2)}`;
    expect(statements.map(({ sql }) => quoted(sql))).toEqual([
      `SELECT "Author"."id" AS "c0" ${from} ORDER BY "Author"."id" ASC LIMIT ${place(4)}`,
      `SELECT COUNT(*) AS "c0" ${from}`,
      'SELECT "Author"."id" AS "c0", "books"."id" AS "c1", "shelf"."room" AS "c2", "shelf"."no" AS "c3", "shelf"."wood" AS "c4" ' +
        'FROM "authors" "Author" INNER JOIN "books" "books" ON "books"."authorId" = "Author"."id" AND "books"."deletedAt" IS NULL ' +
        'LEFT JOIN "shelves" "shelf" ON "shelf"."room" = "books"."shelfRoom" AND "shelf"."no" = "books"."shelfNo" ' +
        `WHERE "Author"."id" ${kind === 'postgres' ? '= ANY($1)' : 'IN (?, ?)'} AND ${exists(' AND "c1"."id" = "books"."id"', 2)} ORDER BY "books"."id" ASC`,
    ]);
  });

  test('of related lists under a scope: relations in a subquery, parents joined where texts compare loosely', () => {
    const listOf = (entity: new () => object, name: string, scope: object) => {
      const parsed = { join: [on(name, 'id')], authRelations: { [name]: scope } };
      const draft = makeDraft(planOf(source, entity, request(parsed, { [name]: {} })), toDatabase(source), {});
      return quoted(compiledRead(draft).related[0]!.statement(1, draft).sql).replace(/^.*? FROM | ORDER BY .*/g, '');
    };
    const asked = kind === 'postgres' ? '= ANY($1)' : 'IN (?)';
    expect(listOf(Author, 'books', { title: { $notnull: true }, 'reviews.stars': { $notnull: true } })).toBe(
      `"books" "books" WHERE "books"."authorId" ${asked} AND "books"."deletedAt" IS NULL AND "books"."title" IS NOT NULL AND ` +
        'EXISTS (SELECT 1 FROM "books" "c0" LEFT JOIN "reviews" "c1" ON "c1"."bookId" = "c0"."id" WHERE "c0"."id" = "books"."id" AND "c1"."stars" IS NOT NULL)',
    );
    const parents =
      'INNER JOIN "countries" "authors_of" ON "authors"."countryCode" = "authors_of"."code" WHERE "authors_of"."code"';
    const joined = kind === 'mysql' ? parents : 'WHERE "authors"."countryCode"';
    expect(listOf(Country, 'authors', {})).toBe(`"authors" "authors" ${joined} ${asked}`);
  });

  test('take a pattern for the text of a number as a text', () => {
    const plan = planOf(source, Author, request({ search: { big: { $cont: '1' } } }));
    expect(compileWhere(plan, toDatabase(source)).text).toMatch(/(GLOB |LIKE |CONVERT\()\0/);
  });

  // Each an index can serve from its beginning, so that a page costs the same wherever it begins.
  test.each<[nulls: 'last' | 'first', values: (string | null)[], branches: string[]]>([
    ['last', ['5', '1'], [LATER, 'score IS NULL ORDER BY id', TIED]],
    ['first', ['5', '1'], [LATER, TIED]],
    ['first', [null, '1'], ['score IS NOT NULL ORDER BY score, id', 'score IS NULL AND id > ? ORDER BY id']],
    ['last', [null, '1'], ['score IS NULL AND id > ? ORDER BY id']],
  ])('of a page that follows a cursor are a union of ranges, with nulls %s, after %j', (nulls, values, branches) => {
    const order = (nulls === 'last') === (kind === 'postgres') ? 'ASC' : 'DESC';
    const parsed = { ...FIVE, sort: [{ field: 'score', order }], join: [{ field: 'mentor', select: ['id'] }] };
    const list = planOf(source, Author, request(parsed, { mentor: { alias: 'Position' } }));
    const plan = planFrom(list, { direction: 'next', including: false, values });
    const { sql } = compiledRead(makeDraft(plan, toDatabase(source), {})).page;
    // As if all sorted upwards, and nothing were converted.
    const plain = quoted(sql)
      .replaceAll(/"Author"\.|"| ASC| DESC/g, '')
      .replaceAll(/\((\S+) \+ 0e0\)/g, '$1')
      .replaceAll(/\$\d/g, '?')
      .replaceAll('score <', 'score >');
    expect([...plain.matchAll(/WHERE (.+?) LIMIT/g)].map(([, branch]) => branch)).toEqual(branches);
    // What the page returns beside them is joined once, to their union, which is called as no relation is.
    expect(plain.split('JOIN authors Position')).toHaveLength(2);
    if (branches.length > 1)
      expect(plain).toMatch(/LIMIT \?\) b\d\) position_ INNER JOIN authors Author ON id = position_\.k0 LEFT/);
  });
});

describeDatabases('SQL', (db) => {
  const own = library(db);

  test('the predicate of a write speaks of the table itself, or of keys where it needs others', () => {
    const where = (search: object, required = false, entity: new () => object = Author) => {
      const join = [{ field: 'mentor' }, ...(required ? [{ field: 'country' }] : [])];
      const asked = request({ search, join }, { mentor: {}, country: { required } });
      return compileWhere(planOf(own.source, entity, asked), toDatabase(own.source));
    };
    const joined = (how: string, conditions = '') =>
      `"id" IN (SELECT "k0" FROM (SELECT "Author"."id" AS "k0" FROM "authors" "Author" ${how} JOIN "countries" "country" ON "country"."code" = "Author"."countryCode" ` +
      `AND "country"."deletedAt" IS NULL WHERE "Author"."id" = \0${conditions}) "matching")`;
    const others = where({ id: 1, 'country.code': { $isnull: true } });
    expect(quoted(where({ id: 1, active: true }).text)).toBe('"authors"."id" = \0 AND "authors"."active" = \0');
    expect(quoted(where({ id: 1 }, true).text)).toBe(joined('INNER'));
    expect(quoted(others.text)).toBe(joined('LEFT', ' AND "country"."code" IS NULL'));
    expect(others.values).toEqual([1]);
    expect(quoted(where({ 'books.pages': 1 }, false, Shelf).text)).toMatch(
      /^\("room", "no"\) IN \(SELECT "k0", "k1" FROM \(SELECT "Shelf"."room" AS "k0", "Shelf"."no" AS "k1" FROM /,
    );
  });

  test('statements are kept as far as the budget of bytes allows', async () => {
    const [authors, budget] = [new TypeOrmCrudService(own.source.getRepository(Author)), 400_000];
    const kept = () => cachedBytes(toDatabase(own.source));
    configureCrudDatabase(own.source, { statementCacheBytes: budget });
    for (let number = 0; number < 60; number += 1) {
      await authors.getMany(request(shape(number), { books: {}, circles: {} }));
      expect(kept()).toBeLessThanOrEqual(budget);
    }
    expect(kept()).toBeGreaterThan(budget / 2);
  });
});
