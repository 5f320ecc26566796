/** What the texts of queries and paths say to code that reads them, beside what nestjsx/crud's parser made of them; which texts path parameters take. */
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { parsePathParams, type ParamsOptions, parseQuery, RequestQueryParser, typeValue } from '../../src/index.js';
import { codeOf } from '../refusal.js';

const NUMBERS = ['5', '0', '-7', '1.5', '-0.25', '1.23456', '9007199254740991'];
/** Unlike nestjsx/crud's parser: integers beyond 2^53, of which it made numbers half of the time, and days and times that there are not. */
const TEXTS = [
  ...['00123', '1.50', '1e3', '+5', '-0', ' 5', '0x10', '9007199254740993', '9007199254740994', 'Infinity', 'NaN'],
  ...['True', '"open', '"a"b"', '[1,2]', '2024-1-5', '2024-01-31 10:20', '10:20:30', 'hello', ''],
  ...['2024-02-30', '2024-01-31T25:00:00Z', ' true'],
];

test.each<[sent: unknown, value: unknown]>([
  ...NUMBERS.map((text): [string, unknown] => [text, Number(text)]),
  ...TEXTS.map((text): [string, unknown] => [text, text]),
  ['true', true],
  ['false', false],
  ['null', null],
  ['"say \\"hi\\""', 'say "hi"'],
  ['2024-01-31', new Date('2024-01-31T00:00:00.000Z')],
  ['2024-01-31T10:20:30Z', new Date('2024-01-31T10:20:30.000Z')],
  ['2024-01-31T10:20:30.123+02:00', new Date('2024-01-31T08:20:30.123Z')],
  [
    ['1', 'x', 2, new Date(0), null],
    [1, 'x', 2, new Date(0), null],
  ],
])('%p is %p', (sent, value) => expect(typeValue(sent)).toStrictEqual(value));

test('a time without offset is UTC, wherever the process is', () => {
  const loader = new URL('../../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;
  const say = `import { typeValue } from '@nestwright/crud-request'; console.log(typeValue('2024-01-31T10:20:30'))`;
  const env = { ...process.env, TZ: 'Asia/Kolkata' };
  const parameters = ['--no-warnings', '--import', loader, '--input-type=module', '--eval', say];
  expect(execFileSync(process.execPath, parameters, { env, encoding: 'utf8' })).toBe('2024-01-31T10:20:30.000Z\n');
});

test('RequestQueryParser types the values of conditions, which parseQuery leaves as texts', () => {
  const query = {
    filter: ['id||eq||5', 'zip||eq||00123', 'id||in||1,2', 'day||between||2024-01-01,2024-02-01', 'name||isnull'],
    or: 'isActive||eq||true',
    join: 'company||id||on[0]=id||gt||3',
  };
  const { filter, or, join } = RequestQueryParser.create().parseQuery(query).getParsed();
  const dates = ['2024-01-01', '2024-02-01'];
  const values = [...filter, ...or, ...join[0]!.on!].map(({ value }) => value as unknown);
  expect(values).toStrictEqual([5, '00123', [1, 2], dates.map((day) => new Date(day)), undefined, true, 3]);
  expect(filter[4]).toStrictEqual({ field: 'name', operator: 'isnull' });
  const texts = parseQuery(query).filter.map(({ value }) => value as unknown);
  expect(texts).toEqual(['5', '00123', ['1', '2'], dates, undefined]);
  const s = '{"zip":"123","age":5,"day":{"$gt":"2024-01-01"}}';
  expect(RequestQueryParser.create().parseQuery({ s }).search).toStrictEqual(JSON.parse(s));
});

describe('path parameters', () => {
  const parse = (params: unknown, options?: unknown) =>
    RequestQueryParser.create().parseParams(params as never, options as never).paramsFilter;
  const uuid = '6F9619FF-8B86-D011-B42D-00CF4FC964FF';

  test.each<[option: ParamsOptions[string], accepted: string[], refused: string[]]>([
    [{ type: 'number' }, ['12', '-1.50', '9007199254740993'], ['1e3', '1.', ' 1', '1\n']],
    [{ type: 'uuid' }, [uuid], [`${uuid}0`]],
    [{}, ['anything'], []],
    // As TypeScript compiles enumerations.
    [{ enum: { 0: 'Red', Red: 0, 5: 'Blue', Blue: 5 } }, ['5'], ['Blue', '1']],
    [{ enum: { Small: 's', X2: '2x' } }, ['s', '2x'], ['Small']],
    [{ enum: ['a', 1], type: 'string' }, ['1'], ['b']],
  ])('%j takes %j, not %j', (option, accepted, refused) => {
    const run = (value: string) => parsePathParams({ id: value }, { id: { field: 'key', ...option } });
    for (const value of accepted) expect(run(value)).toEqual([{ field: 'key', operator: '$eq', value }]);
    for (const value of refused) expect(codeOf(() => run(value))).toBe('CRUD_INVALID_PARAM');
  });

  test('are typed in the order of the path; those disabled or not in it are passed over', () => {
    const number = { type: 'number' } as const;
    const code = { field: 'zip', type: 'string' } as const;
    const options = { off: { ...number, disabled: true }, big: number, code, id: number, missing: number };
    const filters = parse({ id: '5', code: '6', big: '9007199254740993', off: 'x' }, options);
    const values = filters.map(({ field, value }): [string, unknown] => [field, value]);
    expect(JSON.stringify(Object.fromEntries(values))).toBe('{"id":5,"zip":"6","big":"9007199254740993"}');
    expect(parsePathParams({ off: 'x', other: 'y' }, options)).toEqual([]);
    expect(parsePathParams({ id: '5', code: '6' }, options).map(({ value }) => value as unknown)).toEqual(['5', '6']);
  });

  test('are refused without an option', () => {
    for (const options of [undefined, null, {}, { id: 1 }])
      expect(codeOf(() => parse({ id: '1' }, options))).toBe('CRUD_INVALID_PARAM');
    expect([parse(undefined, {}), parse(null, {}), parse({})]).toEqual([[], [], []]);
  });
});
