/** A parser that an application gave to pg is told from pg's own by identity, whatever it answers to some text. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { isDefaultParser, type PgParser, type PgTypes } from '../../../sql/src/rows/default-parsers.js';
import { RAW_TYPES } from '../../../sql/src/rows/raw-text.js';

interface Registry extends PgTypes {
  setTypeParser(type: number, parser: PgParser): void;
}

describeDatabases(
  'parsers of pg',
  (db) => {
    let source: DataSource;
    let types: Registry;

    beforeAll(async () => {
      source = await new DataSource({ ...db.connection, entities: [] } as DataSourceOptions).initialize();
      types = (source.driver as unknown as { postgres: { types: Registry } }).postgres.types;
    });
    afterAll(() => source.destroy());

    function replacing(type: number, make: (original: PgParser) => PgParser, look: () => void): void {
      const original = types.getTypeParser(type);
      types.setTypeParser(type, make(original));

      try {
        look();
      } finally {
        types.setTypeParser(type, original);
      }
    }

    test.each([...RAW_TYPES.keys()])('pg’s own parser of type %i is known', (type) => {
      expect(isDefaultParser(types, type)).toBe(true);
    });

    test.each([...RAW_TYPES.keys()])('a parser of type %i that answers as pg’s own is not taken for it', (type) => {
      for (const make of [
        (original: PgParser): PgParser =>
          (text) =>
            original(text),
        (original: PgParser): PgParser => ((text: string) => original(text)).bind(undefined),
        (original: PgParser): PgParser => new Proxy(original, { apply: (target, _, [text]) => target(text as string) }),
      ])
        replacing(type, make, () => expect(isDefaultParser(types, type)).toBe(false));

      expect(isDefaultParser(types, type)).toBe(true);
    });

    test('a parser of numbers is not taken for none', () => {
      replacing(
        1700,
        () => parseFloat,
        () => expect(isDefaultParser(types, 1700)).toBe(false),
      );
    });

    test('a parser that was replaced before anybody looked is noticed', () => {
      // Another registry stands for one that was changed before the library came to it.
      const strange: PgTypes = { getTypeParser: (type) => types.getTypeParser(type) };

      expect(isDefaultParser(strange, 1184)).toBe(false);
    });

    test('the way in which the application prints stacks is left as it was', () => {
      const { prepareStackTrace } = Error;
      replacing(
        3802,
        () => (text) => JSON.parse(text) as unknown,
        () => {
          isDefaultParser(types, 3802);
          expect(Error.prepareStackTrace).toBe(prepareStackTrace);
        },
      );
    });
  },
  ['postgres'],
);
