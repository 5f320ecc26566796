/** Two data sources of one database, the one with fast paths and the other without, and random bodies for their things. */
import { beforeAll, beforeEach } from '@jest/globals';
import fc from 'fast-check';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { connecting } from '../support/connecting.js';
import { Statements } from '../support/statements.js';

export const WAYS = ['fast', 'plain'] as const;
export type Way = (typeof WAYS)[number];

interface Stored {
  readonly entities: readonly EntityTarget<ObjectLiteral>[];
  /** Tables that are emptied before each test. */
  readonly tables: readonly string[];
  readonly fill?: (source: DataSource) => Promise<unknown>;
}

/** Connects the tests of a block to a database in both ways. */
export function fastAndPlain({ connection, kind }: TestDatabase, { entities, tables, fill }: Stored) {
  const statements = { fast: new Statements(), plain: new Statements() };
  const zone = kind === 'mysql' && { timezone: 'Z', dateStrings: ['DATE'] };
  const connect = (way: Way): DataSource => {
    // SQLite's databases live in memory, one for each connection.
    const isNew = way === 'fast' || kind === 'sqlite';
    const logged = { logging: true, logger: statements[way] };
    const source = connecting({ connection }, entities, { ...zone, ...logged, synchronize: isNew });
    configureCrudDatabase(source, { fastPaths: way === 'fast' });
    if (isNew) beforeAll(() => fill?.(source));
    return source;
  };
  const sources = { fast: connect('fast'), plain: connect('plain') };

  beforeEach(async () => {
    for (const source of Object.values(sources)) for (const table of tables) await source.query(`DELETE FROM ${table}`);
  });

  return {
    sources,
    statements,
    serviceOf: <T extends ObjectLiteral>(way: Way, entity: new () => T) =>
      new TypeOrmCrudService<T>(sources[way].getRepository(entity)),
  };
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').normalize('NFC'));
const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 });
const json = nullable(fc.oneof(fc.dictionary(name, fc.integer()), fc.array(fc.boolean()), fc.integer()));

const PROPERTIES = {
  // Half of what fits: a generated column doubles it.
  whole: fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
  on: fc.boolean(),
  said: fc.constantFrom('something', 'unsay', ''),
  json,
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
  shelfId: nullable(fc.constantFrom(1, 2)),
  shelf: fc.constantFrom({ id: 1 }, { id: 2 }, 1),
  place: fc.record({ town: nullable(text), floor: fc.integer({ min: -9, max: 9 }) }, { requiredKeys: [] }),
  secret: nullable(text),
  fixed: text,
};

export const bodies = fc.record(PROPERTIES, { requiredKeys: ['on'] }) as fc.Arbitrary<Record<string, unknown>>;
