/** Two data sources of one database, the one with fast paths and the other without, and random bodies for their things. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import fc from 'fast-check';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { DatabaseKind, TestDatabase } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { Statements } from '../support/statements.js';
import { Mood } from './entities.js';

export const WAYS = ['fast', 'plain'] as const;
export type Way = (typeof WAYS)[number];

interface Stored {
  readonly entities: readonly EntityTarget<ObjectLiteral>[];
  /** Tables that are emptied before each test. */
  readonly tables: readonly string[];
  /** Puts what else there is into a new database. */
  readonly fill?: (source: DataSource) => Promise<unknown>;
}

/** Connects the tests of a block to a database in both ways. */
export function fastAndPlain({ connection, kind }: TestDatabase, { entities, tables, fill }: Stored) {
  const sources = {} as Record<Way, DataSource>;
  const statements = { fast: new Statements(), plain: new Statements() };

  beforeAll(async () => {
    for (const way of WAYS) {
      // SQLite's databases live in memory, one for each connection.
      const isNew = way === 'fast' || kind === 'sqlite';
      const source = new DataSource({
        ...connection,
        ...(kind === 'mysql' && { timezone: 'Z', dateStrings: ['DATE'] }),
        entities,
        synchronize: isNew,
        logging: true,
        logger: statements[way],
      } as object as DataSourceOptions);
      configureCrudDatabase(source, { fastPaths: way === 'fast' });
      sources[way] = await source.initialize();
      if (isNew) await fill?.(source);
    }
  });

  beforeEach(async () => {
    for (const source of Object.values(sources)) for (const table of tables) await source.query(`DELETE FROM ${table}`);
  });

  afterAll(async () => {
    for (const source of Object.values(sources)) await source.destroy();
  });
  return {
    sources,
    statements,
    serviceOf: <T extends ObjectLiteral>(way: Way, entity: new () => T) =>
      new TypeOrmCrudService<T>(sources[way].getRepository(entity)),
  };
}

/** What a write answers, or with what it is refused. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: { getResponse?: () => unknown }) => {
    if (!error.getResponse) throw error;
    return { refused: error.getResponse() };
  });
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').normalize('NFC'));
const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString());
const json = nullable(
  fc.oneof(
    fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 }), fc.integer()),
    fc.array(fc.boolean()),
    fc.integer(),
  ),
);

/** An item of a simple array, whose stored text divides items by commas. */
const withoutCommas = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 })
  .map((item) => item.replaceAll(',', ';'));

const COMMON = {
  bytes: nullable(fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value))),
  place: fc.record({ town: nullable(text), floor: fc.integer({ min: -9, max: 9 }) }, { requiredKeys: [] }),
  secret: nullable(text),
  fixed: text,
  said: fc.constantFrom('something', 'unsay', ''),
  shelfId: nullable(fc.constantFrom(1, 2)),
  shelf: fc.constantFrom({ id: 1 }, { id: 2 }, 1),
  long: nullable(text),
  small: nullable(fc.integer({ min: -32_768, max: 32_767 })),
  // Half of what fits: a generated column doubles it.
  whole: fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
  big: nullable(fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }).map(String)),
  amount: nullable(fc.integer({ min: -1e9, max: 1e9 }).map((value) => String(value / 100))),
  double: nullable(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })),
  on: fc.boolean(),
  mood: fc.constantFrom(...Object.values(Mood)),
  tags: nullable(fc.array(withoutCommas, { minLength: 1 })),
  json,
  day: nullable(moment.map((value) => value.slice(0, 10))),
  moment: nullable(moment.map((value) => `${value.slice(0, 19)}Z`)),
  time: nullable(moment.map((value) => value.slice(11, 19))),
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
};

const OWN: Record<DatabaseKind, Record<string, fc.Arbitrary<unknown>>> = {
  sqlite: {},
  mysql: { document: json, precise: nullable(moment), float: nullable(fc.integer({ min: -999, max: 999 })) },
  postgres: {
    document: json,
    precise: nullable(moment),
    native: nullable(fc.constantFrom(...Object.values(Mood))),
    list: nullable(fc.array(text)),
    uuid: nullable(fc.uuid()),
    float: nullable(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 })),
    span: nullable(fc.constantFrom('1 day', '02:00:00')),
  },
};

/** Bodies for a thing of a database. */
export const bodiesFor = (kind: DatabaseKind) =>
  fc.record({ ...COMMON, ...OWN[kind] }, { requiredKeys: ['on'] }) as fc.Arbitrary<Record<string, unknown>>;
