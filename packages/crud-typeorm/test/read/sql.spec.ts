/** Plans → the exact statements of each database, with no value in their text. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { JoinOptions } from '@nestwright/crud';
import type { DataSource } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { compileWhere, readPage } from '../../../sql/src/select/index.js';
import { Author, Pet, Cat, Review } from './entities.js';
import { connect, planOf, requestOf } from './library.js';
import type { Statements } from '../support/statements.js';
import { toDatabase } from '../../src/typeorm/database.js';

interface Case {
  readonly title: string;
  readonly entity?: new () => object;
  readonly parsed: object;
  readonly join?: JoinOptions;
  /** Statements in any order, identifiers quoted as on PostgreSQL. */
  readonly sql: Readonly<Record<DatabaseKind, readonly string[]>>;
}

const bytes = (text: string) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
const title = '"books"."title"';
const inner = '"c1"."title"';

const exists = (condition: string) =>
  `EXISTS (SELECT 1 FROM "authors" "c0" LEFT JOIN "books" "c1" ON "c1"."authorId" = "c0"."id" AND "c1"."deletedAt" IS NULL WHERE "c0"."id" = "Author"."id" AND ${condition})`;

const CASES: readonly Case[] = [
  {
    title: 'exact texts, limit and offset',
    parsed: { fields: ['name'], search: { name: 'Anna', 'label.long': { $starts: 'a' } }, limit: 2, offset: 1 },
    sql: {
      sqlite: [
        'SELECT "Author"."id" AS "c0", "Author"."pen_name" AS "c1" FROM "authors" "Author" WHERE "Author"."pen_name" = ? AND "Author"."labelLong_text" GLOB ? ORDER BY "Author"."id" ASC LIMIT ? OFFSET ?',
        'SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE "Author"."pen_name" = ? AND "Author"."labelLong_text" GLOB ?',
      ],
      postgres: [
        `SELECT "Author"."id" AS "c0", "Author"."pen_name" AS "c1" FROM "authors" "Author" WHERE "Author"."pen_name" = $1 AND "Author"."labelLong_text" LIKE $2 ESCAPE '!' ORDER BY "Author"."id" ASC LIMIT $3 OFFSET $4`,
        `SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE "Author"."pen_name" = $1 AND "Author"."labelLong_text" LIKE $2 ESCAPE '!'`,
      ],
      mysql: ['"c0", "Author"."pen_name" AS "c1"', 'COUNT(*) AS "c0"'].map(
        (selected, index) =>
          `SELECT ${index === 0 ? '"Author"."id" AS ' : ''}${selected} FROM "authors" "Author" WHERE ("Author"."pen_name" = ? AND ${bytes('"Author"."pen_name"')} = ${bytes('?')}) ` +
          `AND ("Author"."labelLong_text" LIKE ? ESCAPE '!' AND ${bytes('"Author"."labelLong_text"')} LIKE ${bytes('?')} ESCAPE '!')` +
          (index === 0 ? ' ORDER BY "Author"."id" ASC LIMIT ? OFFSET ?' : ''),
      ),
    },
  },
  {
    title: 'lists are one parameter on PostgreSQL and filled up to a power of two elsewhere',
    parsed: { fields: ['id'], search: { id: { $in: [1, 2, 3] } }, limit: 5 },
    sql: {
      sqlite: [
        'SELECT "Author"."id" AS "c0" FROM "authors" "Author" WHERE "Author"."id" IN (?, ?, ?, ?) ORDER BY "Author"."id" ASC LIMIT ?',
        'SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE "Author"."id" IN (?, ?, ?, ?)',
      ],
      postgres: [
        'SELECT "Author"."id" AS "c0" FROM "authors" "Author" WHERE "Author"."id" = ANY($1) ORDER BY "Author"."id" ASC LIMIT $2',
        'SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE "Author"."id" = ANY($1)',
      ],
      mysql: [
        'SELECT "Author"."id" AS "c0" FROM "authors" "Author" WHERE "Author"."id" IN (?, ?, ?, ?) ORDER BY "Author"."id" ASC LIMIT ?',
        'SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE "Author"."id" IN (?, ?, ?, ?)',
      ],
    },
  },
  {
    title: 'a condition over a to-many relation, joined and counted',
    parsed: {
      fields: ['id'],
      search: { 'books.title': 'One' },
      join: [{ field: 'books', select: ['title'] }],
      limit: 5,
    },
    join: { books: {} },
    sql: Object.fromEntries(
      (['sqlite', 'postgres', 'mysql'] as const).map((kind) => {
        const equals = (column: string, place: number) =>
          kind === 'mysql'
            ? `(${column} = ? AND ${bytes(column)} = ${bytes('?')})`
            : `${column} = ${kind === 'postgres' ? `$${place}` : '?'}`;

        return [
          kind,
          [
            `SELECT "Author"."id" AS "c0" FROM "authors" "Author" WHERE ${exists(equals(inner, 1))} ORDER BY "Author"."id" ASC LIMIT ${kind === 'postgres' ? '$2' : '?'}`,
            `SELECT COUNT(*) AS "c0" FROM "authors" "Author" WHERE ${exists(equals(inner, 1))}`,
            `SELECT "Author"."id" AS "c0", "books"."id" AS "c1", "books"."title" AS "c2" FROM "authors" "Author" INNER JOIN "books" "books" ON "books"."authorId" = "Author"."id" AND "books"."deletedAt" IS NULL ` +
              `WHERE "Author"."id" ${kind === 'postgres' ? '= ANY($1)' : 'IN (?, ?)'} AND ${equals(title, 2)} ORDER BY "books"."id" ASC`,
          ],
        ];
      }),
    ) as unknown as Case['sql'],
  },
];

/** A relation that is narrowed for clients, by a condition that leads on, and whole for a trusted condition. */
const NARROWED: Case = {
  title: 'a relation with a condition of @CrudAuth.relations, and a trusted condition on it',
  entity: Review,
  parsed: {
    fields: ['id'],
    authRelations: { book: { pages: 5, 'author.id': 7 } },
    join: [{ field: 'book', select: ['pages'] }],
    search: { 'book.pages': 3 },
    limit: 5,
  },
  join: { book: {} },
  sql: Object.fromEntries(
    (['sqlite', 'postgres', 'mysql'] as const).map((kind) => {
      const place = (number: number) => (kind === 'postgres' ? `$${number}` : '?');
      const join = (alias: string) =>
        `LEFT JOIN "books" "${alias}" ON "${alias}"."id" = "Review"."bookId" AND "${alias}"."deletedAt" IS NULL`;
      const leading = `EXISTS (SELECT 1 FROM "books" "c0" LEFT JOIN "authors" "c1" ON "c1"."id" = "c0"."authorId" WHERE "c0"."id" = "book"."id" AND "c1"."id" = ${place(2)})`;

      return [
        kind,
        [
          `SELECT "Review"."id" AS "c0", "book"."id" AS "c1", "book"."pages" AS "c2" FROM "reviews" "Review" ${join('book')} AND "book"."pages" = ${place(1)} AND ${leading} ` +
            `${join('book_trusted')} WHERE "book_trusted"."pages" = ${place(3)} ORDER BY "Review"."id" ASC LIMIT ${place(4)}`,
          `SELECT COUNT(*) AS "c0" FROM "reviews" "Review" ${join('book_trusted')} WHERE "book_trusted"."pages" = ${place(1)}`,
        ],
      ];
    }),
  ) as unknown as Case['sql'],
};

describeDatabases('SQL', (db) => {
  let source: DataSource;
  let statements: Statements;

  beforeAll(async () => {
    ({ source, statements } = await connect(db));
  });

  afterAll(() => source.destroy());

  const request = (parsed: object, join: JoinOptions = {}) =>
    requestOf(parsed as Partial<ParsedRequestParams>, { query: { join } });
  const quoted = (sql: string) => sql.replaceAll('`', '"');

  describe('of a page and its total', () => {
    test.each([...CASES, NARROWED])('$title', async ({ entity = Author, parsed, join, sql }) => {
      const texts = await statements.of(() =>
        readPage(planOf(source, entity, request(parsed, join)), toDatabase(source)),
      );

      expect(texts.map(quoted).sort()).toEqual([...sql[db.kind]].sort());
    });
  });

  test('equal shapes have equal texts, whatever their values', async () => {
    const texts = new Set<string>();

    for (const name of ['a', "x' OR 1=1 --", '%', '漢字']) {
      for (const list of [
        [1, 2, 3],
        [4, 5, 6, 7],
      ]) {
        const search = {
          $or: [{ name: { $contL: name } }, { id: { $in: list } }, { 'settings.theme': { $eq: name } }],
        };

        (
          await statements.of(() =>
            readPage(planOf(source, Author, request({ search, limit: list[0] })), toDatabase(source)),
          )
        ).forEach((text) => texts.add(text));
      }
    }

    expect(texts.size).toBe(2);
  });

  test('no value of a condition is part of a text', async () => {
    const marker = 'qzxjvkwpyfmb';
    const search = {
      $or: ['eq', 'ne', 'starts', 'ends', 'cont', 'excl', 'eqL', 'contL', 'gt'].flatMap((operator) =>
        ['name', 'country.name', 'books.title', `settings.${marker}`].map((field) => ({
          [field]: { [`$${operator}`]: `${marker}'"\\` },
        })),
      ),
    };
    const texts = await statements.of(() =>
      readPage(planOf(source, Author, request({ search, limit: 3 })), toDatabase(source)),
    );

    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => text.includes(marker))).toEqual([]);
  });

  test('the predicate of a write speaks of the table itself, or of keys where it needs others', () => {
    const own = compileWhere(planOf(source, Author, request({ search: { id: 1, active: true } })), toDatabase(source));
    const others = compileWhere(
      planOf(source, Author, request({ search: { id: 1, 'country.code': { $isnull: true } } })),
      toDatabase(source),
    );

    expect(quoted(own.text)).toBe('"authors"."id" = \0 AND "authors"."active" = \0');
    expect(quoted(others.text)).toBe(
      '"id" IN (SELECT "k0" FROM (SELECT "Author"."id" AS "k0" FROM "authors" "Author" LEFT JOIN "countries" "country" ON "country"."code" = "Author"."countryCode" ' +
        'AND "country"."deletedAt" IS NULL WHERE "Author"."id" = \0 AND "country"."code" IS NULL) "matching")',
    );
    expect(others.values).toEqual([1]);
  });

  test('a subclass is told from its siblings', async () => {
    const [cats] = await statements.of(() =>
      readPage(planOf(source, Cat, request({ fields: ['id'], limit: 1 })), toDatabase(source)),
    );
    const [pets] = await statements.of(() =>
      readPage(planOf(source, Pet, request({ fields: ['id'], limit: 1 })), toDatabase(source)),
    );
    const place = (index: number) => (db.kind === 'postgres' ? `$${index}` : '?');

    expect(quoted(cats!)).toBe(
      `SELECT "Cat"."id" AS "c0" FROM "pets" "Cat" WHERE "Cat"."kind" IN (${place(1)}) ORDER BY "Cat"."id" ASC LIMIT ${place(2)}`,
    );
    expect(quoted(pets!)).toBe(
      `SELECT "Pet"."id" AS "c0", "Pet"."kind" AS "c1" FROM "pets" "Pet" ORDER BY "Pet"."id" ASC LIMIT ${place(1)}`,
    );
  });
});
