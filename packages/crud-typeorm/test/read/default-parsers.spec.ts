/** A parser that an application gave to pg is told from pg's own by identity, whatever it answers to some text. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { isDefaultParser, type PgParser, type PgTypes } from '../../../sql/src/rows/default-parsers.js';
import { RAW_TYPES } from '../../../sql/src/rows/raw-text.js';
import { connect } from '../support/resources.js';

interface Registry extends PgTypes {
  setTypeParser(type: number, parser: PgParser): void;
}

describeDatabases(
  'parsers of pg',
  (db) => {
    let source: DataSource;
    let types: Registry;
    beforeAll(async () => {
      source = await connect(db, []);
      types = (source.driver as unknown as { postgres: { types: Registry } }).postgres.types;
    });
    afterAll(() => source.destroy());

    function replacing(type: number, make: (original: PgParser) => PgParser, look: () => unknown): void {
      const original = types.getTypeParser(type);
      types.setTypeParser(type, make(original));
      try {
        look();
      } finally {
        types.setTypeParser(type, original);
      }
    }

    test.each([...RAW_TYPES.keys()])(
      'of type %i, pg’s own is known, and one that answers as it does is not',
      (type) => {
        for (const make of [
          (original: PgParser): PgParser =>
            (text) =>
              original(text),
          (original: PgParser): PgParser => ((text: string) => original(text)).bind(undefined),
          (original: PgParser): PgParser =>
            new Proxy(original, { apply: (target, _, [text]) => target(text as string) }),
        ])
          replacing(type, make, () => expect(isDefaultParser(types, type)).toBe(false));
        expect(isDefaultParser(types, type)).toBe(true);
      },
    );

    test('a parser of numbers is not taken for none', () => {
      const look = () => expect(isDefaultParser(types, 1700)).toBe(false);
      replacing(1700, () => parseFloat, look);
    });

    test('a parser that was replaced before anybody looked is noticed', () => {
      // Another registry stands for one that was changed before the library came to it.
      const strange: PgTypes = { getTypeParser: (type) => types.getTypeParser(type) };
      expect(isDefaultParser(strange, 1184)).toBe(false);
    });

    test('the way in which the application prints stacks is left as it was', () => {
      const { prepareStackTrace } = Error;
      const parse: PgParser = (text) => JSON.parse(text) as unknown;
      replacing(
        3802,
        () => parse,
        () => isDefaultParser(types, 3802),
      );
      expect(Error.prepareStackTrace).toBe(prepareStackTrace);
    });
  },
  ['postgres'],
);
