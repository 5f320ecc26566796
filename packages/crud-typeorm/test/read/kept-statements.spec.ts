/** Requests of ever new shapes → the bytes that are kept for them and the answers, on each database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { type CrudResult, JsonText, RESULT } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { cachedBytes } from '../../../sql/src/lru-cache.js';
import { Author } from './entities.js';
import { connect, requestOf } from './library.js';
import type { Statements } from '../support/statements.js';
import { toDatabase } from '../../src/typeorm/database.js';

const FIELDS = ['name', 'score', 'active', 'role', 'born', 'seenAt', 'settings', 'tags'] as const;

/** Requests of which no two have the same shape. */
function shape(number: number): Partial<ParsedRequestParams> {
  const chosen = FIELDS.filter((_, index) => (number >> index) % 2 === 1);

  return {
    fields: ['id', ...chosen],
    join: [{ field: 'books' }, { field: 'circles', select: number % 2 ? ['title'] : [] }],
    search: {
      $or: [
        { id: { $in: Array.from({ length: 2 ** (number % 5) }, (_, index) => index + 1) } },
        ...chosen.map((field) => ({ [field]: { $notnull: true } })),
      ],
    },
    sort: [{ field: 'id', order: 'ASC' }],
    limit: 3,
    page: 1,
  };
}

describeDatabases('kept statements', (db) => {
  let source: DataSource;
  let statements: Statements;
  let authors: TypeOrmCrudService<Author>;
  const shapes = Array.from({ length: 60 }, (_, index) => shape(index));
  const answers: string[] = [];
  const request = (parsed: Partial<ParsedRequestParams>): CrudRequest =>
    requestOf(parsed, { query: { join: { books: {}, circles: {} } } });
  const answerTo = async (parsed: Partial<ParsedRequestParams>): Promise<string> => {
    const result = (await authors[RESULT]('getMany', request(parsed))) as CrudResult;
    const written = await result.text!(Author);

    return written instanceof JsonText ? written.text : JSON.stringify(await authors.getMany(request(parsed)));
  };

  /** Gives the statements another budget, which holds from the next new shape on. */
  const keepWithin = async (statementCacheBytes: number) => {
    configureCrudDatabase(source, { statementCacheBytes });
    await answerTo({ search: Object.fromEntries([[FIELDS[statementCacheBytes % 2]!, { $notnull: true }]]) });
  };

  beforeAll(async () => {
    ({ source, statements } = await connect(db));
    authors = new TypeOrmCrudService(source.getRepository(Author));
    for (const parsed of shapes) answers.push(JSON.stringify(await authors.getMany(request(parsed))));
  });

  afterAll(() => source.destroy());

  test.each([
    ['requests of ever new shapes keep within the budget of bytes and get the answers that they get with any', 200_000],
    ['where nothing fits into the budget nothing is kept, and everything is answered', 1],
  ])('%s', async (_, budget) => {
    const isSmall = budget === 1;
    await keepWithin(budget);

    for (const [index, parsed] of shapes.slice(0, isSmall ? 8 : 60).entries()) {
      expect(JSON.parse(await answerTo(parsed))).toEqual(JSON.parse(answers[index]!));
      expect(cachedBytes(toDatabase(source))).toBeLessThanOrEqual(isSmall ? 0 : budget);
    }

    if (isSmall) expect(await statements.of(() => authors.getMany(request(shapes[7]!)))).toHaveLength(4);
    else expect(cachedBytes(toDatabase(source))).toBeGreaterThan(budget / 2);
  });
});
