/** Headers and stored values → the tags that they name, and tags that tell states apart, without a server. */
import { describe, expect, test } from '@jest/globals';
import { CrudConfigService, type CrudRequest, type Preconditions } from '../../src/index.js';
import { entityTag, namedTags, namesTag, requirePreconditions, rowTagOf } from '../../src/conditional/entity-tag.js';

describe('the tags in a header', () => {
  test.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['a']],
    ['W/"a"', ['a']],
    ['"a", W/"b" ,"c"', ['a', 'b', 'c']],
    [', "a",, "b",', ['a', 'b']],
    ['"a,b"', ['a,b']],
    ['""', ['']],
    ...['', 'a', '"a" b', '"a" "b"', '"a', 'w/"a"', 'W/ "a"', '"a", *', '"a b"'].map((header) => [header, []] as const),
  ] as const)('%j are %j', (header, tags) => expect(namedTags(header)).toEqual(tags));

  test('are found in linear time', () => {
    const started = performance.now();
    for (const header of ['"a",'.repeat(200_000), ' '.repeat(800_000), ','.repeat(800_000), '"'.repeat(800_000)])
      namedTags(`${header}x`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

test('a read compares the whole tag, weak or not', () => {
  const tag = entityTag('{}', 'row');
  expect(tag).toMatch(/^"row\.[\w-]{22}"$/);
  expect([namesTag(`W/${tag}`, tag), namesTag(tag, entityTag('[]', 'row'))]).toEqual([true, false]);
  expect(entityTag('{}', undefined)).toMatch(/^W\/"[\w-]{22}"$/);
});

test('a row has a tag of its own, which depends on the secret', () => {
  const tag = rowTagOf(['users', '1', null]);
  expect(rowTagOf(['users', '1', null])).toBe(tag);
  expect(
    new Set([tag, rowTagOf(['users', '1', 'null']), rowTagOf(['users1', null]), rowTagOf(['users', '1', ''])]).size,
  ).toBe(4);
  CrudConfigService.load({ etagSecret: 'another' });
  expect(rowTagOf(['users', '1', null])).not.toBe(tag);
});

describe('preconditions', () => {
  const judge = (preconditions: Preconditions, stored?: string) =>
    requirePreconditions({ preconditions } as CrudRequest, stored === undefined ? undefined : async () => stored);

  test.each<[Preconditions, stored: string | undefined, held: boolean]>([
    [{}, undefined, true],
    [{ ifMatch: '*' }, 'row', true],
    [{ ifMatch: '"x.y", W/"row.other"' }, 'row', true],
    [{ ifMatch: '"row.body-gzip"' }, 'row', true],
    [{ ifNoneMatch: '*' }, undefined, true],
    [{ ifMatch: '*' }, undefined, false],
    [{ ifMatch: '"row.body"' }, undefined, false],
    [{ ifMatch: '"rowx.body"' }, 'row', false],
    [{ ifMatch: '' }, 'row', false],
    [{ ifMatch: '""' }, 'row', false],
    [{ ifNoneMatch: '*' }, 'row', false],
  ])('%j for a record with the tag %s: whether they hold is %j', async (preconditions, stored, held) => {
    const judged = judge(preconditions, stored);
    await (held ? expect(judged).resolves.toBeUndefined() : expect(judged).rejects.toMatchObject({ status: 412 }));
  });
});
