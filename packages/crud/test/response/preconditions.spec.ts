/** Headers and stored values → the tags that they name, what a route refuses of them, and what it expects of the stored record. */
import { expect, test } from '@jest/globals';
import type { HttpException } from '@nestjs/common';
import { type BaseRouteName, CrudActions, CrudConfigService, type CrudRequest } from '../../src/index.js';
import { type Preconditions } from '../../src/index.js';
import { entityTag, namedTags, namesTag, requirePreconditions, rowTagOf } from '../../src/conditional/entity-tag.js';
import { listRefusals, setPreconditions } from '../../src/conditional/preconditions.js';
import type { HttpRequest } from '../../src/response/request-state.js';
import { refusalOf } from '../plan/plans.js';
import { define, ID } from '../request/definitions.js';

test.each([
  [' * ', '*'],
  ['"a", W/"b" ,"c"', ['a', 'b', 'c']],
  [', "a",, "b",', ['a', 'b']],
  ['"a,b"', ['a,b']],
  ['""', ['']],
  ['\t"!"\t,\tW/"#~\x80ÿ"\t', ['!', '#~\x80ÿ']],
  ...['', 'a', '"a" "b"', '"a', 'w/"a"', 'W/ "a"', '"a", *', '"a b"', '"\x7f"', '"Ā"'].map(
    (header) => [header, []] as const,
  ),
] as const)('the tags in the header %j are %j', (header, tags) => expect(namedTags(header)).toEqual(tags));

test('a read compares the whole tag, weak or not', () => {
  const tag = entityTag('{}', 'row');
  expect(tag).toMatch(/^"row\.[\w-]{22}"$/);
  expect([namesTag(`W/${tag}`, tag), namesTag(tag, entityTag('[]', 'row'))]).toEqual([true, false]);
  const weak = entityTag('{}', undefined);
  expect(weak).toMatch(/^W\/"[\w-]{22}"$/);
  expect(['*', weak, weak.slice(2), tag].map((header) => namesTag(header, weak))).toEqual([true, true, true, false]);
});

test('a row has a tag of its own, which depends on the secret', () => {
  const tag = rowTagOf(['users', '1', null]);
  expect(tag).toMatch(/^[\w-]{22}$/);
  expect(rowTagOf(['users', '1', null])).toBe(tag);
  const others = ['null', ''].map((last) => rowTagOf(['users', '1', last]));
  expect(new Set([tag, rowTagOf(['users1', null]), ...others]).size).toBe(4);
  CrudConfigService.load({ etagSecret: 'another' });
  expect(rowTagOf(['users', '1', null])).not.toBe(tag);
});

const judge = (preconditions: Preconditions, stored?: string) =>
  requirePreconditions({ preconditions } as CrudRequest, stored === undefined ? undefined : async () => stored);

test.each<[Preconditions, stored: string | undefined, refused: 'If-Match' | 'If-None-Match' | '']>([
  [{}, undefined, ''],
  [{ ifMatch: '*' }, 'row', ''],
  [{ ifMatch: '"x.y", W/"row.other"' }, 'row', ''],
  [{ ifMatch: '"row.body-gzip"' }, 'row', ''],
  [{ ifNoneMatch: '*' }, undefined, ''],
  [{ ifMatch: '*' }, undefined, 'If-Match'],
  [{ ifMatch: '"row.body"' }, undefined, 'If-Match'],
  [{ ifMatch: '"rowx.body"' }, 'row', 'If-Match'],
  [{ ifMatch: '' }, 'row', 'If-Match'],
  [{ ifMatch: '""' }, 'row', 'If-Match'],
  [{ ifNoneMatch: '*' }, 'row', 'If-None-Match'],
])('the preconditions %j for a record with the tag %s; refused by: %s', async (preconditions, stored, field) => {
  const refusal = await judge(preconditions, stored).catch((error: HttpException) => error.getResponse());
  if (field === '') expect(refusal).toBeUndefined();
  else expect(refusal).toMatchObject({ statusCode: 412, code: 'CRUD_PRECONDITION_FAILED', field });
});

const [match, none] = [{ 'if-match': '"a"' }, { 'if-none-match': '*' }];
const required = { statusCode: 428, code: 'CRUD_PRECONDITION_REQUIRED', field: 'If-Match' };
const many = { statusCode: 400, message: 'If-Match cannot be sent for many records', field: 'If-Match' };
const media = { statusCode: 415, code: 'CRUD_UNSUPPORTED_MEDIA_TYPE', field: 'Content-Type' };
const posted = (type?: string) => ({ method: 'POST', headers: { 'content-type': type } });

test.each<[BaseRouteName | undefined, HttpRequest, refusal: object | 'nothing']>([
  ['getManyBase', { headers: match }, 'nothing'],
  ['getOneBase', {}, 'nothing'],
  [undefined, { headers: match }, 'nothing'],
  ['updateOneBase', {}, required],
  ['updateOneBase', { headers: none }, required],
  ['replaceOneBase', { headers: none }, 'nothing'],
  ['replaceOneBase', { headers: { 'if-none-match': '"a"' } }, required],
  ['updateManyBase', { headers: match }, many],
  ['updateManyBase', { headers: { 'if-match': ['"a"', '"b"'] } }, many],
  ['deleteManyBase', { method: 'DELETE' }, 'nothing'],
  ['deleteManyBase', posted(), media],
  ['deleteManyBase', posted('text/plain; x=application/json'), media],
  ['deleteManyBase', posted(' Application/JSON ; charset=utf-8'), 'nothing'],
])('%s, sent %j, refuses %j', (route, http, refusal) => {
  const asked = { requireMatch: true };
  const routes = { updateOneBase: asked, replaceOneBase: asked, updateManyBase: asked };
  const refuse = () => listRefusals(define({}, ID, routes), route).forEach((check) => check(http));
  if (refusal === 'nothing') expect(refuse()).toBeUndefined();
  else expect(refusalOf(refuse)).toMatchObject(refusal);
});

test.each([
  [CrudActions.UpdateOne, { ...match, ...none }, { ifMatch: '"a"' }],
  [CrudActions.ReplaceOne, { ...match, ...none }, { ifMatch: '"a"', ifNoneMatch: '*' }],
  [CrudActions.ReplaceOne, { 'if-none-match': '"a"' }, undefined],
  [undefined, {}, undefined],
])('%s with %j expects %j of the record', (action, headers, expected) => {
  const request = {} as CrudRequest;
  setPreconditions(request, { headers }, action);
  expect(request).toStrictEqual(expected ? { preconditions: expected } : {});
});
