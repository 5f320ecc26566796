/** Documents and lists go to PostgreSQL; the texts in which it prints them become, byte for byte, what JSON.stringify prints, or are left to the driver's parser. A parser of the application is told from pg's own by identity, whatever it answers. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter, describeDatabases } from '../../../../integration/test-support/index.js';
import { isDefaultParser, type PgTypes } from '../../../sql/src/rows/default-parsers.js';
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
      ['{"a": "\\", \\\\", "b": 0.25}', '{"a":"\\", \\\\","b":0.25}'],
      ['{"_proto": 1, "constructors": "then", "a1": "\\\\"}', '{"_proto":1,"constructors":"then","a1":"\\\\"}'],
      ['[123456789012345, -123456789, 0.123456]', '[123456789012345,-123456789,0.123456]'],
      // JavaScript prints these in other digits or another order, class-transformer loses them.
      ['1.0', undefined],
      ['1234567890123456', undefined],
      ['[-1234567890]', undefined],
      ['{"b": 1, "10": 2}', undefined],
      ['{"a": {"__proto__": 1}}', undefined],
      ['{"then": 1}', undefined],
    ])('document %s', (printed, json) => expect(documentJson(printed)).toBe(json));

    test.each([
      ['{}', '[]'],
      ['{"a \\"b\\"",NULL,"NULL"}', '["a \\"b\\"",null,"NULL"]'],
      ['{"a b","\\\\"}', '["a b","\\\\"]'],
      ['{{a},{b}}', undefined],
      ['{"a\nb"}', undefined],
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

    const after = (start: string, ends: readonly string[]) => without(...ends.map((end) => start + end));
    const at = '2001-02-03 04:05:06';
    const iso = (fraction: string) => `"2001-02-03T04:05:06.${fraction}Z"`;
    const others = [`1${at}`, '0999-12-31 04:05:06'];
    const zoned = ['+01', '', '.+00', '.1234567+00', '+00 BC'];

    test.each<[type: number, texts: Readonly<Record<string, string | undefined>>]>([
      [1184, { [`${at}+00`]: iso('000'), [`${at}.7+00`]: iso('700'), [`${at}.789+00`]: iso('789') }],
      [1184, { [`${at}.789999+00`]: iso('789'), ...after(at, zoned), ...without('infinity') }],
      [1184, without(...others.map((one) => `${one}+00`))],
      [1114, { [at]: iso('000'), [`${at}.05`]: iso('050'), ...without(...others, '-infinity') }],
      [1114, after(at, ['+00', '.', '.1234567', ' BC'])],
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
        ['timestamptz', 1184, [...fc.sample(moment, 1000), 'infinity', '-infinity', '0044-03-15 12:00:00+00 BC']],
        ['bigint', 20, fc.sample(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), 100).map(String)],
        ['numeric', 1700, ['1.50', '-0.0001', 'NaN', '123456789012345678901234567890.5']],
        ['float8', 701, [...fc.sample(fc.double(), 500), 'NaN', 'Infinity', '-0']],
        ['float4', 700, fc.sample(fc.float({ noNaN: true }), 500)],
        ['jsonb', 3802, fc.sample(document, 1000).map((value) => JSON.stringify(value))],
        ['text[]', 1009, fc.sample(fc.array(fc.option(text), { maxLength: 5 }), 1000)],
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

    test.each([...RAW_TYPES.keys()])('of type %i, pg’s own parser is told from one that answers as it does', (type) => {
      const { prepareStackTrace } = Error;
      const original = types.getTypeParser(type);
      for (const parser of [
        (text: string) => original(text),
        ((text: string) => original(text)).bind(undefined),
        new Proxy(original, { apply: (target, _, [text]) => target(text as string) }),
        Number,
      ]) {
        types.setTypeParser(type, parser);
        const isDefault = isDefaultParser(types, type);
        types.setTypeParser(type, original);
        expect(isDefault).toBe(false);
      }
      expect([isDefaultParser(types, type), Error.prepareStackTrace]).toEqual([true, prepareStackTrace]);
    });

    test('the parsers of a registry that was changed before are not known', () => {
      const strange: PgTypes = { getTypeParser: (type) => types.getTypeParser(type) };
      expect(isDefaultParser(strange, 1184)).toBe(false);
    });
  },
  ['postgres'],
);
