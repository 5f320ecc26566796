/** Joins and conditions over relations → the records that hand-written sets name, in as many statements as promised. */
import { expect, test } from '@jest/globals';
import type { QueryJoin, SCondition } from '@nestwright/crud-request';
import type { JoinOptions } from '@nestwright/crud';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { count, read, readPage } from '../../../sql/src/select/index.js';
import { Author, Book, Cat, Circle, Country, Dog, Pet, Shelf } from './entities.js';
import { AUTHORS, library, planOf, requestOf } from './library.js';
import { toDatabase } from '../../src/typeorm/database.js';

type Kind = new () => object;
const PATHS = ['country', 'mentor', 'mentor.country', 'books', 'books.reviews', 'books.shelf', 'circles', 'desk'];
const ALL: JoinOptions = Object.fromEntries([...PATHS, 'pupils', 'pupils.books'].map((name) => [name, {}]));

/** Conditions over to-many relations, which hold for some choice of one book and one circle, or of none where there is none. */
const CHOICES: readonly (readonly [title: string, search: SCondition, ids: number[]])[] = [
  ['a value', { 'books.title': { $eq: 'One' } }, [1, 3]],
  ['null, which a record without children offers', { 'books.title': { $isnull: true } }, [1, 2, 4, 6, 7, 8]],
  ['two conditions on one path, of one child', { 'books.title': { $eq: 'One' }, 'books.pages': { $gt: 150 } }, []],
  ['the same, apart', { $and: [{ 'books.title': 'One' }, { $or: [{ 'books.pages': { $gt: 150 } }, { id: 99 }] }] }, []],
  ['not', { $not: { 'books.title': { $eq: 'One' } } }, [1, 5]],
  ['beside the root in an or', { $or: [{ 'books.title': { $eq: 'One' } }, { name: { $eq: '10' } }] }, [1, 3, 8]],
  ['many-to-many', { 'circles.title': { $eq: 'Red' } }, [1]],
  ['a link to a soft-deleted record is none', { 'circles.title': { $isnull: true } }, [3, 4, 5, 6, 7, 8]],
  ['two paths, each by itself', { $or: [{ 'books.title': 'Five' }, { 'circles.title': { $eq: 'Red' } }] }, [1, 5]],
  ['nested', { 'books.reviews.stars': { $eq: 5 }, 'books.pages': { $lt: 150 } }, [1]],
  ['a to-one relation below', { 'books.shelf.wood': { $eq: 'elm' } }, [3, 5]],
];

describeDatabases('joins', (db) => {
  const own = library(db);
  const plan = (
    join: readonly (string | QueryJoin)[],
    search: SCondition = {},
    options = ALL,
    entity = Author as Kind,
  ) => {
    const joined = join.map((one) => (typeof one === 'string' ? { field: one } : one));
    return planOf(own.source, entity, requestOf({ search, join: joined }, { query: { join: options } }));
  };
  const list = (...given: Parameters<typeof plan>): Promise<ObjectLiteral[]> =>
    read(plan(...given), toDatabase(own.source));
  const total = (...given: Parameters<typeof plan>) => count(plan(...given), toDatabase(own.source));
  const ids = (records: readonly ObjectLiteral[]) => records.map(({ id }) => id as number);

  test('to-one relations come in the root statement', async () => {
    let found: ObjectLiteral[] = [];
    const relations = ['country', 'mentor', 'mentor.country', 'desk'];
    expect(await own.statements.of(async () => (found = await list(relations)))).toHaveLength(1);
    expect(ids(found)).toEqual(AUTHORS.map(({ id }) => id));
    const mentor = { id: 1, name: 'Anna', country: { code: 'de' } };
    expect(found[1]).toMatchObject({ country: { code: 'fr', name: 'France' }, mentor, desk: null });
    expect(found[0]).toMatchObject({ country: { code: 'de' }, mentor: null, desk: { id: 1, wood: 'oak' } });
    expect(found[3]).toMatchObject({ country: null });
  });

  test('to-many relations come in a statement each, in the order of their keys, without soft-deleted ones', async () => {
    let found: ObjectLiteral[] = [];
    const texts = await own.statements.of(async () => (found = await list(['books', 'books.reviews', 'circles'])));
    expect(texts).toHaveLength(4);
    expect(found.map(({ books }) => ids(books))).toEqual([[11, 12, 13], [], [15], [], [18], [], [], []]);
    expect(found.map(({ circles }) => ids(circles))).toEqual([[21, 22], [21], [24], [], [], [], [], []]);
    expect(found[0]!.books.map((book: ObjectLiteral) => ids(book.reviews))).toEqual([[101, 102], [103], []]);
    expect(found[0]!.books[0]).toBeInstanceOf(Book);
  });

  test('listeners hear of each record once', async () => {
    const found = await list(['books', 'pupils', 'pupils.books']);
    expect(found[0]!.books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 11', 'book 12', 'book 13']);
    expect(found[0]!.pupils[1].books.map(({ loadedAs }: Book) => loadedAs)).toEqual(['book 15']);
  });

  test('composite keys, and the other side of a many-to-many relation', async () => {
    const shelves = await list(['books'], {}, { books: {} }, Shelf);
    const rows = shelves.map(({ room, no, books }) => `${room} ${no}: ${ids(books)}`);
    expect(rows).toEqual(['A 1: 11', 'A 2: 12', 'B 1: 15,18']);
    const shelf = { room: 'A', no: 1, wood: 'oak' };
    expect(await list(['shelf'], { 'shelf.wood': 'oak' }, { shelf: {} }, Book)).toMatchObject([{ id: 11, shelf }]);
    expect(ids(await list([], { 'books.shelf.no': { $eq: 2 } }, { books: {}, 'books.shelf': {} }))).toEqual([1]);
    const circles = await list(['authors'], {}, { authors: {} }, Circle);
    expect(circles.map(({ id, authors }) => `${id}: ${ids(authors)}`)).toEqual(['21: 1,2', '22: 1', '24: 3']);
  });

  test('a subclass in a table of several', async () => {
    const pets = await list([], {}, {}, Pet);
    const tom = { id: 1, name: 'Tom', lives: 9 };
    expect(pets).toEqual([tom, { id: 2, name: 'Rex', trick: 'roll' }, { id: 3, name: 'Pip' }]);
    expect(pets.map((pet) => pet.constructor)).toEqual([Cat, Dog, Pet]);
    expect(await list([], {}, {}, Cat)).toEqual([tom]);
    expect(await total([], {}, {}, Cat)).toBe(1);
  });

  test('conditions of a join stand in its ON clause', async () => {
    const onTitle = { field: 'books', on: [{ field: 'books.title', operator: '$eq' as const, value: 'One' }] };
    const onCountry = { field: 'country', on: [{ field: 'country.code', operator: '$eq' as const, value: 'fr' }] };
    const found = await list([onTitle, onCountry]);
    expect(found.map(({ books }) => ids(books))).toEqual([[11], [], [15], [], [], [], [], []]);
    expect(found.map(({ country }) => country?.code ?? null)).toEqual([null, 'fr', null, null, null, 'fr', null, null]);
    const fields = [{ field: 'country', select: ['name'] }, 'books'];
    const hidden = { country: {}, books: { exclude: ['id'], allow: ['title', 'id'] } };
    const [first] = await list(fields, { id: 1 }, hidden);
    expect(first!.country).toEqual({ code: 'de', name: 'Germany' });
    const books = ['One', 'Two', null].map((title) => ({ title }));
    expect(first!.books.map(({ loadedAs: _, ...book }: Book) => book)).toEqual(books);
  });

  test('required relations hide roots, from list and total', async () => {
    const required = { required: true };
    const nested = { books: {}, 'books.reviews': required };
    for (const [relation, found] of Object.entries({ country: [1, 2, 3, 6], books: [1, 3, 5] })) {
      expect(ids(await list([relation], {}, { [relation]: required }))).toEqual(found);
      expect(await total([relation], {}, { [relation]: required })).toBe(found.length);
    }
    const byReviews = await list(['books', 'books.reviews'], {}, nested);
    expect(byReviews.map(({ id, books }) => `${id}: ${ids(books)}`)).toEqual(['1: 11,12', '3: 15']);
  });

  test.each(CHOICES)('conditions over to-many relations hold for some choice: %s', async (_, search, expected) => {
    expect(ids(await list([], search))).toEqual(expected);
    expect(ids(await list(['books', 'books.reviews', 'circles', 'country'], search))).toEqual(expected);
    expect(await total([], search)).toBe(expected.length);
  });

  test('a joined relation returns the records for which such a choice exists', async () => {
    const byReview = await list(['books', 'books.reviews'], { 'books.reviews.stars': { $gte: 5 } });
    const reviewed = byReview.map(({ books }) =>
      books.map(({ id, reviews }: ObjectLiteral) => `${id}: ${ids(reviews)}`),
    );
    expect(reviewed).toEqual([['11: 102', '12: 103']]);
    const joined = await list(['books', 'circles'], { $or: [{ 'books.title': 'Two' }, { 'circles.title': 'Blue' }] });
    const found = joined.map(({ id, books, circles }) => [id, ids(books), ids(circles)].join('; '));
    expect(found).toEqual(['1; 11,12,13; 21,22', '2; ; 21']);
  });

  test('pages hold as many roots as asked for, whatever is joined, and the total counts them all', async () => {
    const sort = [{ field: 'country.name', order: 'DESC' as const }];
    const join = ['books', 'circles'].map((field) => ({ field }));
    const page = (limit: number, offset: number) => {
      const request = requestOf({ join, limit, offset, sort }, { query: { join: ALL } });
      return readPage(planOf(own.source, Author, request), toDatabase(own.source));
    };
    const all = ids(await (await page(100, 0)).rows.records());
    const pages: number[] = [];
    for (let offset = 0; offset < all.length; offset += 3) {
      const { rows, total } = await page(3, offset);
      expect(total).toBe(AUTHORS.length);
      pages.push(...ids(await rows.records()));
    }
    expect(pages).toEqual(all);
    expect([...all].sort()).toEqual(AUTHORS.map(({ id }) => id));
  });

  test('an offset needs no limit', async () => {
    const unlimited = requestOf({ offset: 6 }, { query: { maxLimit: false } });
    expect(ids(await read(planOf(own.source, Author, unlimited), toDatabase(own.source)))).toEqual([7, 8]);
  });

  test('soft-deleted records are left out unless asked for', async () => {
    const options = { query: { softDelete: true, join: { reviews: {}, author: {} } } };
    const books = (parsed: object) =>
      read(planOf(own.source, Book, requestOf(parsed, options)), toDatabase(own.source));
    const withThem: ObjectLiteral[] = await books({ includeDeleted: 1, join: [{ field: 'reviews' }] });
    expect(ids(await books({}))).toEqual([11, 12, 13, 15, 16, 18]);
    expect(ids(withThem)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
    expect(withThem[3]).toMatchObject({ reviews: [{ id: 105, stars: 4 }] });
  });

  // There, keys that differ in case, accents or blanks at their end are equal.
  if (db.kind === 'mysql') {
    test('joined children are those that a condition on the parent finds', async () => {
      const { manager } = own.source;
      await manager.insert(Author, { id: 9, country: { code: 'DÉ ' } } as never);
      await manager.insert(Book, { id: 19, shelf: { room: 'a', no: 1 } });
      const countries = await list(['authors'], {}, { authors: {} }, Country);
      expect(countries.map(({ code, authors }) => `${code}: ${ids(authors)}`)).toEqual(['de: 1,3,9', 'fr: 2,6']);
      expect(ids(await list([], { 'country.code': 'de' }))).toEqual([1, 3, 9]);
      const [one] = await list(['country', 'country.authors'], { id: 9 }, { country: {}, 'country.authors': {} });
      expect(one!.country).toMatchObject({ code: 'de', authors: [{ id: 1 }, { id: 3 }, { id: 9 }] });
      const [shelf] = await list(['books'], { no: 1 }, { books: {} }, Shelf);
      expect(ids(shelf!.books)).toEqual([11, 19]);
      await manager.delete(Book, 19);
      await manager.delete(Author, 9);
    });
  }
});
