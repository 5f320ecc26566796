/** Path parameters: which texts their types and enums take, in which order conditions come, and that none goes without an option. */
import { describe, expect, test } from '@jest/globals';
import { parsePathParams, type ParamsOptions, RequestQueryParser } from '@nestwright/crud-request';
import { codeOf } from './code-of.js';

describe('path parameters', () => {
  enum Colour {
    Red,
    Blue = 5,
  }
  enum Size {
    Small = 's',
  }
  const uuid = '6F9619FF-8B86-D011-B42D-00CF4FC964FF';
  test.each<[ParamsOptions[string], string, boolean]>([
    [{ type: 'number' }, '12', true],
    [{ type: 'number' }, '-1.50', true],
    [{ type: 'number' }, '9007199254740993', true],
    [{ type: 'number' }, '1e3', false],
    [{ type: 'number' }, '1.', false],
    [{ type: 'number' }, ' 1', false],
    [{ type: 'number' }, '1\n', false],
    [{ type: 'uuid' }, uuid, true],
    [{ type: 'uuid' }, `${uuid}0`, false],
    [{ type: 'string' }, 'anything ||', true],
    [{}, 'anything', true],
    [{ enum: Colour }, '5', true],
    [{ enum: Colour }, 'Blue', false],
    [{ enum: Colour }, '1', false],
    [{ enum: Size }, 's', true],
    [{ enum: Size }, 'Small', false],
    [{ enum: ['a', 1], type: 'string' }, '1', true],
    [{ enum: ['a', 1] }, 'b', false],
  ])('%j takes %j: %s', (option, value, accepted) => {
    const run = () => parsePathParams({ id: value }, { id: { field: 'key', ...option } });
    if (accepted) expect(run()).toEqual([{ field: 'key', operator: '$eq', value }]);
    else expect(codeOf(run)).toBe('CRUD_INVALID_PARAM');
  });

  test('come in the order of the path', () => {
    const options = { id: { type: 'number', primary: true }, teamId: { type: 'number' } } as const;
    expect(parsePathParams({ teamId: '1', id: '2' }, options).map(({ value }) => value as unknown)).toEqual(['1', '2']);
    expect(RequestQueryParser.create().parseParams({ teamId: '1', id: '2' }, options).paramsFilter).toMatchObject([
      { field: 'teamId' },
      { field: 'id' },
    ]);
  });

  test('pass over what is disabled or not in the path', () =>
    expect(
      parsePathParams({ a: 'x', other: 'y' }, { a: { type: 'number', disabled: true }, b: { type: 'uuid' } }),
    ).toEqual([]));

  test('are refused without an option', () => {
    const read = (params: unknown, options?: unknown) =>
      RequestQueryParser.create().parseParams(params as never, options as never).paramsFilter;
    for (const options of [undefined, null, {}, { id: 1 }])
      expect(codeOf(() => read({ id: '1' }, options))).toBe('CRUD_INVALID_PARAM');
    expect(read({ id: '1' }, { id: { type: 'number' } })).toHaveLength(1);
    expect([read(undefined, {}), read({})]).toEqual([[], []]);
  });
});
