/** What the texts of a query say to code that reads them; the table is what nestjsx/crud's parser made of them, and where ours differs. */
import { describe, expect, test } from '@jest/globals';
import { convertFilterToSearch, parseQuery, RequestQueryParser, typeValue } from '../../src/index.js';

const NUMBERS = ['5', '0', '-7', '1.5', '-0.25', '9007199254740991', '2024'];
const TEXTS = [
  ...['00123', '1.50', '1e3', '+5', '-0', ' 5', '0x10', '12345678901234567890', '9007199254740993', 'Infinity', 'NaN'],
  ...['True', '"open', '"a"b"', '{"a":1}', '[1,2]', '2024-1-5', '2024-01-31 10:20', '10:20:30', 'hello', ''],
];
const SAME_AS_UPSTREAM: [text: string, value: unknown][] = [
  ...NUMBERS.map((text): [string, unknown] => [text, Number(text)]),
  ...TEXTS.map((text): [string, unknown] => [text, text]),
  ['true', true],
  ['false', false],
  ['null', null],
  ['"5"', '5'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['2024-01-31', new Date('2024-01-31T00:00:00.000Z')],
  ['1970-01-01', new Date(0)],
  ['2024-01-31T10:20:30Z', new Date('2024-01-31T10:20:30.000Z')],
  ['2024-01-31T10:20:30.123+02:00', new Date('2024-01-31T08:20:30.123Z')],
];

const UNLIKE_UPSTREAM: [text: string, value: unknown, reason: string][] = [
  ['9007199254740994', '9007199254740994', 'half of the integers beyond 2^53 would be numbers, the others texts'],
  ['2024-02-30', '2024-02-30', 'there is no such day'],
  ['2024-01-31T25:00:00Z', '2024-01-31T25:00:00Z', 'there is no such time'],
  ['2024-01-31T10:20:30', new Date('2024-01-31T10:20:30.000Z'), 'a time without offset is UTC'],
  ['1.23456', 1.23456, 'no digit is lost'],
];

describe('the value of a text', () => {
  test.each(SAME_AS_UPSTREAM)('%j is %p, as nestjsx/crud has it', (text, value) =>
    expect(typeValue(text)).toStrictEqual(value),
  );

  test.each(UNLIKE_UPSTREAM)('%j is %p, since %s', (text, value) => expect(typeValue(text)).toStrictEqual(value));

  test('types each item of a list, and only texts', () => {
    const date = new Date(0);
    expect(typeValue(['1', 'x', 2, date, null])).toStrictEqual([1, 'x', 2, date, null]);
    expect(typeValue(undefined)).toBeUndefined();
    expect(typeValue(7n)).toBe(7n);
  });
});

describe('RequestQueryParser', () => {
  const query = {
    filter: ['id||eq||5', 'zip||eq||00123', 'id||in||1,2', 'day||between||2024-01-01,2024-02-01', 'name||isnull'],
    or: 'isActive||eq||true',
    join: 'company||id||on[0]=id||gt||3',
  };

  test('gives values of conditions by what their texts say', () => {
    const { filter, or, join } = RequestQueryParser.create().parseQuery(query).getParsed();
    expect(filter).toStrictEqual([
      { field: 'id', operator: 'eq', value: 5 },
      { field: 'zip', operator: 'eq', value: '00123' },
      { field: 'id', operator: 'in', value: [1, 2] },
      { field: 'day', operator: 'between', value: [new Date('2024-01-01'), new Date('2024-02-01')] },
      { field: 'name', operator: 'isnull' },
    ]);
    expect(or).toStrictEqual([{ field: 'isActive', operator: 'eq', value: true }]);
    expect(join[0]?.on).toStrictEqual([{ field: 'id', operator: 'gt', value: 3 }]);
    expect(convertFilterToSearch(filter[0]!)).toEqual({ id: { eq: 5 } });
  });

  test('keeps JSON types in `s`', () => {
    const s = '{"zip":"123","age":5,"day":{"$gt":"2024-01-01"}}';
    expect(RequestQueryParser.create().parseQuery({ s }).search).toStrictEqual(JSON.parse(s));
  });

  test('makes numbers of path parameters of type number alone', () => {
    const params = { id: '5', code: '6', big: '9007199254740993', off: '1' };
    const { paramsFilter } = RequestQueryParser.create().parseParams(params, {
      id: { type: 'number', primary: true },
      code: { field: 'zip', type: 'string' },
      big: { type: 'number' },
      off: { type: 'number', disabled: true },
    });
    expect(paramsFilter).toStrictEqual([
      { field: 'id', operator: '$eq', value: 5 },
      { field: 'zip', operator: '$eq', value: '6' },
      { field: 'big', operator: '$eq', value: '9007199254740993' },
    ]);
  });

  test('reads what the function `parseQuery` leaves as text', () => {
    const values = ['5', '00123', ['1', '2'], ['2024-01-01', '2024-02-01'], undefined];
    expect(parseQuery(query).filter.map(({ value }) => value as unknown)).toEqual(values);
  });
});
