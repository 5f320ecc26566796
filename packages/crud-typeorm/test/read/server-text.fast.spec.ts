/** Documents and lists go to PostgreSQL; the texts in which it prints them become, byte for byte, what JSON.stringify prints, or are left to the driver's parser. A parser of the application is told from pg's own by identity, whatever it answers. */
import { expect, test } from '@jest/globals';
import { describeColumn } from '@nestwright/crud/adapter';
import { POSTGRES } from '@nestwright/sql';
import fc from 'fast-check';
import { anyCharacter, describeDatabases } from '../../../../integration/test-support/index.js';
import type { JsonValue } from '../../../sql/src/database/dialect.js';
import { isDefaultParser, type PgParser, type PgTypes } from '../../../sql/src/rows/default-parsers.js';
import { documentJson } from '../../../sql/src/rows/document-text.js';
import { listJson } from '../../../sql/src/rows/list-text.js';
import { RAW_TYPES } from '../../../sql/src/rows/raw-text.js';
import { unquotedList } from '../../../sql/src/rows/text-value.js';
import { typesOf } from './library.js';
import { connecting } from '../support/connecting.js';

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom('', ': ', '", "', ' a ', '\n', '\u2028', ...'" \\ , { } NULL null nUll \ud83d\ude00'.split(' ')),
);

const document = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown);

const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((value) => value.toISOString());

/** Texts that are left to the driver's parser. */
const without = (...texts: readonly string[]) => Object.fromEntries(texts.map((one) => [one, undefined]));

describeDatabases(
  'texts of PostgreSQL',
  (db) => {
    const source = connecting(db, []);
    const types = typesOf(source);

    test.each([
      ['{"size": 1, "theme": "light"}', '{"size":1,"theme":"light"}'],
      ['[1, [2, {"a": [true, null]}]]', '[1,[2,{"a":[true,null]}]]'],
      ['"a, b: c"', '"a, b: c"'],
      ['{"a": "\\", \\\\", "b": 0.25}', '{"a":"\\", \\\\","b":0.25}'],
      ['{}', '{}'],
      ['[]', '[]'],
      ['{"_proto": 1, "constructors": "then", "a1": "\\\\"}', '{"_proto":1,"constructors":"then","a1":"\\\\"}'],
      ['[123456789012345, -123456789, 0.123456]', '[123456789012345,-123456789,0.123456]'],
      // JavaScript prints these in other digits or another order, class-transformer loses them.
      ['1.0', undefined],
      ['12345678901234567890', undefined],
      ['1234567890123456', undefined],
      ['[-1234567890]', undefined],
      ['{"b": 1, "10": 2}', undefined],
      ['{"9": 1}', undefined],
      ['{"a": 1, "constructor": 1}', undefined],
      ['{"a": {"__proto__": 1}}', undefined],
      ['{"then": 1}', undefined],
    ])('document %s', (printed, json) => expect(documentJson(printed)).toBe(json));

    test.each([
      ['{}', '[]'],
      ['{a,b}', '["a","b"]'],
      ['{"a \\"b\\"",NULL,"NULL"}', '["a \\"b\\"",null,"NULL"]'],
      ['{""}', '[""]'],
      ['{"a b","\\\\"}', '["a b","\\\\"]'],
      ['{a b}', '["a b"]'],
      ['{{a},{b}}', undefined],
      ['[0:1]={a,b}', undefined],
      ['{"a\nb"}', undefined],
      ['{a', undefined],
      ['{"a}', undefined],
      ...Object.entries(without('{a,}', '{,a}', '{a,,b}', 'a,b}', '{a"b}', '{a\\b}', '{"a"b}', '{a\tb}')),
      ...Object.entries(without('{"\\\n"}', '{"a\\"}', '{a}b}', '')),
    ])('list %s', (printed, json) => expect(listJson(printed)).toBe(json));

    test.each([
      ['{}', []],
      ['{a}', ['a']],
      ['{a,NULL,c d}', ['a', null, 'c d']],
      ...['{"a"}', '{{a},{b}}', '[0:1]={a,b}', '{a', 'a}', ''].map((printed) => [printed, undefined] as const),
    ])('bare list %s', (printed, list) => expect(unquotedList(printed)).toEqual(list));

    const at = '2001-02-03 04:05:06';
    const early = '0999-12-31 04:05:06';

    test.each<[type: number, texts: Readonly<Record<string, string | undefined>>]>([
      [
        1184,
        {
          [`${at}+00`]: '"2001-02-03T04:05:06.000Z"',
          [`${at}.7+00`]: '"2001-02-03T04:05:06.700Z"',
          [`${at}.789+00`]: '"2001-02-03T04:05:06.789Z"',
          [`${at}.789999+00`]: '"2001-02-03T04:05:06.789Z"',
          ...without(
            `${at}+01`,
            at,
            `${at}.+00`,
            `${at}.1234567+00`,
            `${at}+00 BC`,
            `1${at}+00`,
            `${early}+00`,
            'infinity',
          ),
        },
      ],
      [
        1114,
        {
          [at]: '"2001-02-03T04:05:06.000Z"',
          [`${at}.05`]: '"2001-02-03T04:05:06.050Z"',
          ...without(`${at}+00`, `${at}.`, `${at}.1234567`, `${at} BC`, `1${at}`, early, '-infinity'),
        },
      ],
      [1082, { '2001-02-03': '"2001-02-03"', ...without('2001-02-03 BC', '12001-02-03', '0999-12-31', 'infinity') }],
      [16, { t: 'true', f: 'false' }],
      [23, { '-7': '-7' }],
      [
        701,
        {
          ...{ '1': '1', '-0.5': '-0.5', '123456789': '123456789', '123456789.123456': '123456789.123456' },
          ...without('-0', '1.10', '0.0', '1234567890', '1.1234567', '01', '.5', '5.', '1e+20', 'NaN', 'x1', '1x'),
        },
      ],
      [20, { '-5': '"-5"' }],
      [1700, { '1.50': '"1.50"' }],
      [114, { '{"a" : [1, 2.0]}': '{"a":[1,2]}', ...without('{"constructor":1}', '{"then":1}', '{"a":"\\u0041"}') }],
      [1009, { '{a,NULL}': '["a",null]', '{"a b"}': '["a b"]', ...without('{{a}}') }],
    ])('JSON of texts of type %i', (type, texts) => {
      const { json, value } = RAW_TYPES.get(type)!;
      for (const [printed, expected] of Object.entries(texts)) {
        expect([printed, json(printed)]).toStrictEqual([printed, expected]);
        const read = expected === undefined ? undefined : (JSON.parse(expected) as string);
        if (type === 1082 || type === 1009) expect(value(printed)).toEqual(read);
        if (type === 1114 || type === 1184) expect(value(printed)).toStrictEqual(read && new Date(read));
      }
    });

    test('values are read from their texts as the driver reads them, and printed as JSON', async () => {
      const columns: readonly (readonly [type: string, number: number, values: readonly unknown[]])[] = [
        ['timestamptz', 1184, [...fc.sample(moment, 3000), 'infinity', '-infinity', '0044-03-15 12:00:00+00 BC']],
        ['bigint', 20, fc.sample(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), 100).map(String)],
        ['numeric', 1700, ['1.50', '-0.0001', 'NaN', '123456789012345678901234567890.5']],
        ['float8', 701, [...fc.sample(fc.double(), 500), 'NaN', 'Infinity', '-0']],
        ['float4', 700, fc.sample(fc.float({ noNaN: true }), 500)],
        ['int4', 23, [0, -7, 2147483647, -2147483648]],
        ['jsonb', 3802, fc.sample(document, 1000).map((value) => JSON.stringify(value))],
        ['text[]', 1009, fc.sample(fc.array(fc.option(text), { maxLength: 5 }), 1000)],
        ['varchar[]', 1015, [['a', 'b'], [], [null], ['NULL', 'null', '']]],
      ];
      for (const [type, number, values] of columns) {
        for (const value of values) {
          const given = Array.isArray(value) ? '$1' : '$1::text';
          const sql = `SELECT ${given}::${type} AS value, ${given}::${type}::text AS printed`;
          const [row] = await source.query<[{ value: unknown; printed: string }]>(sql, [value]);
          const read = RAW_TYPES.get(number)!.value(row.printed);
          if (read !== undefined) expect(read).toStrictEqual(row.value);
          else expect(['timestamptz', 'text[]']).toContain(type);
          const json = ['jsonb', 'text[]'].includes(type) ? RAW_TYPES.get(number)!.json(row.printed) : undefined;
          if (json !== undefined) expect(json).toBe(JSON.stringify(row.value));
        }
      }
    }, 60_000);

    test('numbers are written as JSON writes them', async () => {
      const numbers = [0, -0.1, 1.5, 1e20, 1e21, -1.25e22, 1e-6, 1.5e-7, 5e-324, 1.7976931348623157e308, 0.1 + 0.2];
      const document = { column: "json_build_object('a', n)", keys: ['a'], storedColumn: { type: 'json' } };
      const inner = { ...document, constant: () => "'a'" } as unknown as JsonValue;
      const written = await source.query<object[]>(
        `SELECT ${POSTGRES.writeText('n', describeColumn('n', 'float'))} AS number, ${POSTGRES.jsonText(inner)} AS inner ` +
          'FROM unnest($1::float8[]) n',
        [numbers],
      );
      expect(written).toEqual(numbers.map((number) => ({ number: String(number), inner: String(number) })));
    });

    function replacing(type: number, make: (original: PgParser) => PgParser, look: () => unknown): void {
      const original = types.getTypeParser(type);
      types.setTypeParser(type, make(original));
      try {
        look();
      } finally {
        types.setTypeParser(type, original);
      }
    }

    test.each([...RAW_TYPES.keys()])('of type %i, pg’s own parser is told from one that answers as it does', (type) => {
      const makes: ((original: PgParser) => PgParser)[] = [
        (original) => (text) => original(text),
        (original) => ((text: string) => original(text)).bind(undefined),
        (original) => new Proxy(original, { apply: (target, _, [text]) => target(text as string) }),
      ];
      for (const make of makes) replacing(type, make, () => expect(isDefaultParser(types, type)).toBe(false));
      expect(isDefaultParser(types, type)).toBe(true);
    });

    test('a parser of numbers is not taken for none, nor one of a registry that was changed before', () => {
      const { prepareStackTrace } = Error;
      replacing(
        1700,
        () => parseFloat,
        () => expect(isDefaultParser(types, 1700)).toBe(false),
      );
      replacing(
        3802,
        () => (text) => JSON.parse(text) as unknown,
        () => isDefaultParser(types, 3802),
      );
      const strange: PgTypes = { getTypeParser: (type) => types.getTypeParser(type) };
      expect(isDefaultParser(strange, 1184)).toBe(false);
      // The way in which the application prints stacks is left as it was.
      expect(Error.prepareStackTrace).toBe(prepareStackTrace);
    });
  },
  ['postgres'],
);
