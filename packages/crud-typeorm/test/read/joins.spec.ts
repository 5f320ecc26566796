/** Joins and conditions over relations → the records that hand-written sets name, in as many statements as promised. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { QueryJoin, SCondition } from '@nestwright/crud-request';
import type { JoinOptions } from '@nestwright/crud';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { count, read, readPage } from '../../../sql/src/select/index.js';
import { Author, Book, Cat, Circle, Dog, Pet, Shelf } from './entities.js';
import { AUTHORS, BOOKS, CIRCLES, connect, planOf, requestOf, REVIEWS } from './library.js';
import type { Statements } from '../support/statements.js';
import { toDatabase } from '../../src/typeorm/database.js';

const ALL: JoinOptions = {
  country: {},
  mentor: {},
  'mentor.country': {},
  books: {},
  'books.reviews': {},
  'books.shelf': {},
  circles: {},
  desk: {},
  pupils: {},
  'pupils.books': {},
};

/** A child that is chosen, or the all-null one of a record without any. */
type Child = Record<string, unknown> | undefined;

const booksOf = (id: number) => BOOKS.filter(({ authorId, deleted }) => authorId === id && !deleted);
const reviewsOf = (id: unknown) => REVIEWS.filter(({ bookId }) => bookId === id);
const circlesOf = (id: number) =>
  CIRCLES.filter(({ authors, deleted }) => !deleted && (authors as number[]).includes(id));
const orNone = <T extends object>(list: readonly T[]): readonly (T | undefined)[] =>
  list.length > 0 ? list : [undefined];
const valueOf = (child: Child, name: string): unknown => child?.[name] ?? null;

/** Authors for whom some choice of one book and one circle fulfils a condition. */
function choose(matches: (book: Child, circle: Child, id: number) => boolean): number[] {
  return AUTHORS.map(({ id }) => id).filter((id) =>
    orNone(booksOf(id)).some((book) => orNone(circlesOf(id)).some((circle) => matches(book, circle, id))),
  );
}

const CHOICES: readonly (readonly [title: string, search: SCondition, ids: number[]])[] = [
  ['a value', { 'books.title': { $eq: 'One' } }, choose((book) => valueOf(book, 'title') === 'One')],
  [
    'null, which a record without children offers',
    { 'books.title': { $isnull: true } },
    choose((book) => valueOf(book, 'title') === null),
  ],
  [
    'two conditions on one path speak of the same child',
    { 'books.title': { $eq: 'One' }, 'books.pages': { $gt: 150 } },
    choose((book) => valueOf(book, 'title') === 'One' && Number(valueOf(book, 'pages') ?? 0) > 150),
  ],
  [
    'also when they stand apart',
    { $and: [{ 'books.title': { $eq: 'One' } }, { $or: [{ 'books.pages': { $gt: 150 } }, { id: 99 }] }] },
    choose((book) => valueOf(book, 'title') === 'One' && Number(valueOf(book, 'pages') ?? 0) > 150),
  ],
  [
    'not',
    { $not: { 'books.title': { $eq: 'One' } } },
    choose((book) => valueOf(book, 'title') !== null && valueOf(book, 'title') !== 'One'),
  ],
  [
    'beside the root in an or',
    { $or: [{ 'books.title': { $eq: 'One' } }, { name: { $eq: '10' } }] },
    choose((book, _circle, id) => valueOf(book, 'title') === 'One' || id === 8),
  ],
  ['many-to-many', { 'circles.title': { $eq: 'Red' } }, choose((_book, circle) => valueOf(circle, 'title') === 'Red')],
  [
    'many-to-many, where a link to a soft-deleted record is none',
    { 'circles.title': { $isnull: true } },
    choose((_book, circle) => valueOf(circle, 'title') === null),
  ],
  [
    'two paths are chosen independently',
    { $or: [{ 'books.title': { $eq: 'Five' } }, { 'circles.title': { $eq: 'Red' } }] },
    choose((book, circle) => valueOf(book, 'title') === 'Five' || valueOf(circle, 'title') === 'Red'),
  ],
  [
    'nested',
    { 'books.reviews.stars': { $eq: 5 }, 'books.pages': { $lt: 150 } },
    AUTHORS.map(({ id }) => id).filter((id) =>
      booksOf(id).some((book) => (book.pages ?? 999) < 150 && reviewsOf(book.id).some(({ stars }) => stars === 5)),
    ),
  ],
  [
    'a to-one relation below',
    { 'books.shelf.wood': { $eq: 'elm' } },
    choose((book) => ((book?.['shelf'] ?? []) as unknown[])[0] === 'B'),
  ],
];

describeDatabases('joins', (db) => {
  let source: DataSource;
  let statements: Statements;

  beforeAll(async () => {
    ({ source, statements } = await connect(db));
  });

  afterAll(() => source.destroy());

  const plan = (
    join: readonly (string | QueryJoin)[],
    search: SCondition = {},
    options: JoinOptions = ALL,
    entity: new () => object = Author,
  ) =>
    planOf(
      source,
      entity,
      requestOf(
        { search, join: join.map((one) => (typeof one === 'string' ? { field: one } : one)) },
        { query: { join: options } },
      ),
    );
  const list = (...given: Parameters<typeof plan>): Promise<ObjectLiteral[]> =>
    read(plan(...given), toDatabase(source));
  const ids = (records: readonly ObjectLiteral[]) => records.map(({ id }) => id as number);

  test('to-one relations come in the root statement', async () => {
    let found: ObjectLiteral[] = [];
    const texts = await statements.of(
      async () => (found = await list(['country', 'mentor', 'mentor.country', 'desk'])),
    );

    expect(texts).toHaveLength(1);
    expect(ids(found)).toEqual(AUTHORS.map(({ id }) => id));
    expect(found[1]).toMatchObject({
      country: { code: 'fr', name: 'France' },
      mentor: { id: 1, name: 'Anna', country: { code: 'de' } },
      desk: null,
    });
    expect(found[0]).toMatchObject({ country: { code: 'de' }, mentor: null, desk: { id: 1, wood: 'oak' } });
    expect(found[3]).toMatchObject({ country: null });
  });

  test('to-many relations come in a statement each, in the order of their keys, without soft-deleted ones', async () => {
    let found: ObjectLiteral[] = [];
    const texts = await statements.of(async () => (found = await list(['books', 'books.reviews', 'circles'])));

    expect(texts).toHaveLength(4);
    expect(found.map(({ books }) => ids(books))).toEqual(AUTHORS.map(({ id }) => booksOf(id).map((book) => book.id)));
    expect(found.map(({ circles }) => ids(circles))).toEqual(
      AUTHORS.map(({ id }) => circlesOf(id).map((circle) => circle.id)),
    );
    expect(found[0]!.books.map((book: ObjectLiteral) => ids(book.reviews))).toEqual([[101, 102], [103], []]);
    expect(found[0]!.books[0]).toBeInstanceOf(Book);
  });

  test('listeners hear of each record once', async () => {
    const found = await list(['books', 'pupils', 'pupils.books']);

    expect(found[0]!.books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 11', 'book 12', 'book 13']);
    expect(found[0]!.pupils[1].books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 15']);
  });

  test('composite keys', async () => {
    const shelves = await read(
      planOf(source, Shelf, requestOf({ join: [{ field: 'books' }] }, { query: { join: { books: {} } } })),
      toDatabase(source),
    );
    const books = await read(
      planOf(
        source,
        Book,
        requestOf({ join: [{ field: 'shelf' }], search: { 'shelf.wood': 'oak' } }, { query: { join: { shelf: {} } } }),
      ),
      toDatabase(source),
    );

    expect(shelves.map(({ room, no, books: own }) => [room, no, ids(own)])).toEqual([
      ['A', 1, [11]],
      ['A', 2, [12]],
      ['B', 1, [15, 18]],
    ]);
    expect(books).toMatchObject([{ id: 11, shelf: { room: 'A', no: 1, wood: 'oak' } }]);
    expect(await list([], { 'books.shelf.no': { $eq: 2 } }, { books: {}, 'books.shelf': {} })).toMatchObject([
      { id: 1 },
    ]);
  });

  test('the other side of a many-to-many relation', async () => {
    const found = await read(
      planOf(source, Circle, requestOf({ join: [{ field: 'authors' }] }, { query: { join: { authors: {} } } })),
      toDatabase(source),
    );

    expect(found.map(({ id, authors }) => [id, ids(authors)])).toEqual([
      [21, [1, 2]],
      [22, [1]],
      [24, [3]],
    ]);
  });

  test('a subclass in a table of several', async () => {
    const pets = await read(planOf(source, Pet, requestOf({})), toDatabase(source));
    const cats = await read(planOf(source, Cat, requestOf({})), toDatabase(source));

    expect(pets).toEqual([
      { id: 1, name: 'Tom', lives: 9 },
      { id: 2, name: 'Rex', trick: 'roll' },
    ]);
    expect(pets[0]).toBeInstanceOf(Cat);
    expect(pets[1]).toBeInstanceOf(Dog);
    expect(cats).toEqual([{ id: 1, name: 'Tom', lives: 9 }]);
    expect(await count(planOf(source, Cat, requestOf({})), toDatabase(source))).toBe(1);
  });

  test('conditions of a join stand in its ON clause', async () => {
    const onTitle = { field: 'books', on: [{ field: 'books.title', operator: '$eq' as const, value: 'One' }] };
    const onCountry = { field: 'country', on: [{ field: 'country.code', operator: '$eq' as const, value: 'fr' }] };
    const found = await list([onTitle, onCountry]);

    expect(found.map(({ books }) => ids(books))).toEqual([[11], [], [15], [], [], [], [], []]);
    expect(found.map(({ country }) => country?.code ?? null)).toEqual([null, 'fr', null, null, null, 'fr', null, null]);
  });

  test('fields of a join, and keys that are hidden', async () => {
    const found = await list(
      [{ field: 'country', select: ['name'] }, 'books'],
      { id: 1 },
      { country: {}, books: { exclude: ['id'], allow: ['title', 'id'] } },
    );

    expect(found[0]!.country).toEqual({ code: 'de', name: 'Germany' });
    expect(found[0]!.books.map(({ loadedAs: _loadedAs, ...book }: Book) => book)).toEqual([
      { title: 'One' },
      { title: 'Two' },
      { title: null },
    ]);
  });

  test('required relations hide roots, from list and total', async () => {
    const country = plan(['country'], {}, { country: { required: true } });
    const books = plan(['books'], {}, { books: { required: true } });
    const reviews = plan(['books', 'books.reviews'], {}, { books: {}, 'books.reviews': { required: true } });

    expect(ids(await read(country, toDatabase(source)))).toEqual([1, 2, 3, 6]);
    expect(await count(country, toDatabase(source))).toBe(4);
    expect(ids(await read(books, toDatabase(source)))).toEqual([1, 3, 5]);
    expect(await count(books, toDatabase(source))).toBe(3);
    expect((await read(reviews, toDatabase(source))).map(({ id, books: own }) => [id, ids(own)])).toEqual([
      [1, [11, 12]],
      [3, [15]],
    ]);
  });

  describe('conditions over to-many relations hold for some choice', () => {
    test.each(CHOICES)('%s', async (_, search, expected) => {
      expect(ids(await list([], search))).toEqual(expected);
      expect(ids(await list(['books', 'books.reviews', 'circles', 'country'], search))).toEqual(expected);
      expect(await count(plan([], search), toDatabase(source))).toBe(expected.length);
    });
  });

  test('a joined relation returns the records for which such a choice exists', async () => {
    const byTitle = await list(['books', 'circles'], { 'books.title': { $eq: 'One' } });
    const byReview = await list(['books', 'books.reviews'], { 'books.reviews.stars': { $gte: 5 } });
    const byEither = await list(['books', 'circles'], { $or: [{ 'books.title': 'Two' }, { 'circles.title': 'Blue' }] });
    const byRoot = await list(['books'], { $or: [{ 'books.title': 'Two' }, { id: 3 }] });

    expect(byTitle.map(({ id, books, circles }) => [id, ids(books), ids(circles)])).toEqual([
      [1, [11], [21, 22]],
      [3, [15], [24]],
    ]);
    expect(byReview.map(({ books }) => books.map((book: ObjectLiteral) => [book.id, ids(book.reviews)]))).toEqual([
      [
        [11, [102]],
        [12, [103]],
      ],
    ]);
    expect(byEither.map(({ id, books, circles }) => [id, ids(books), ids(circles)])).toEqual([
      [1, [11, 12, 13], [21, 22]],
      [2, [], [21]],
    ]);
    expect(byRoot.map(({ id, books }) => [id, ids(books)])).toEqual([
      [1, [12]],
      [3, [15]],
    ]);
  });

  describe('pages', () => {
    const page = (limit: number, offset: number, join: string[] = ['books', 'circles'], search: SCondition = {}) =>
      planOf(
        source,
        Author,
        requestOf(
          {
            search,
            join: join.map((field) => ({ field })),
            limit,
            offset,
            sort: [{ field: 'country.name', order: 'DESC' }],
          },
          { query: { join: ALL } },
        ),
      );

    test('hold as many roots as asked for, whatever is joined, and the total counts them all', async () => {
      const all = (await (await readPage(page(100, 0), toDatabase(source))).rows.records()).map(
        ({ id }) => id as number,
      );
      const pages: number[] = [];

      for (let offset = 0; offset < all.length; offset += 3) {
        const { rows, total } = await readPage(page(3, offset), toDatabase(source));
        const records = await rows.records();

        expect(total).toBe(AUTHORS.length);
        pages.push(...ids(records));
      }

      expect(pages).toEqual(all);
      expect([...all].sort()).toEqual(AUTHORS.map(({ id }) => id));
    });

    test('are one statement each, whatever limit and offset', async () => {
      const texts = new Set<string>();

      for (const [limit, offset] of [
        [2, 1],
        [3, 2],
        [5, 4],
      ] as const) {
        for (const text of await statements.of(() => read(page(limit, offset, []), toDatabase(source))))
          texts.add(text);
      }

      expect(texts.size).toBe(1);
    });

    test('count without joins that no condition uses', async () => {
      const texts = await statements.of(() => readPage(page(3, 0, ['books', 'country']), toDatabase(source)));
      const total = texts.find((text) => text.includes('COUNT'))!;

      expect(texts).toHaveLength(3);
      expect(total).not.toContain('JOIN');
    });

    test('without a limit skip too', async () => {
      const request = requestOf({ offset: 6 }, { query: { maxLimit: false } });

      expect(ids(await read(planOf(source, Author, request), toDatabase(source)))).toEqual([7, 8]);
    });
  });

  describe('soft-deleted records', () => {
    const options = { query: { softDelete: true, join: { reviews: {}, author: {} } } };

    test('are left out unless asked for', async () => {
      const without = await read(planOf(source, Book, requestOf({}, options)), toDatabase(source));
      const withThem = await read(
        planOf(source, Book, requestOf({ includeDeleted: 1, join: [{ field: 'reviews' }] }, options)),
        toDatabase(source),
      );

      expect(ids(without)).toEqual([11, 12, 13, 15, 16, 18]);
      expect(ids(withThem)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
      expect(withThem[3]).toMatchObject({ reviews: [{ id: 105, stars: 4 }] });
    });
  });

  beforeEach(() => {
    statements.all.length = 0;
  });
});
