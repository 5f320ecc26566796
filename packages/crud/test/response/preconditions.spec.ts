/** The headers of a request → what its route refuses of them, and what it expects of the stored record. */
import { expect, test } from '@jest/globals';
import { listRefusals, setPreconditions } from '../../src/conditional/preconditions.js';
import { type BaseRouteName, CrudActions, type CrudRequest } from '../../src/index.js';
import type { HttpRequest } from '../../src/response/request-state.js';
import { refusalOf } from '../plan/plans.js';
import { define, ID } from '../request/definitions.js';

const [match, none] = [{ 'if-match': '"a"' }, { 'if-none-match': '*' }];
const required = { statusCode: 428, code: 'CRUD_PRECONDITION_REQUIRED', field: 'If-Match' };
const many = { statusCode: 400, message: 'If-Match cannot be sent for many records', field: 'If-Match' };
const media = { statusCode: 415, code: 'CRUD_UNSUPPORTED_MEDIA_TYPE', field: 'Content-Type' };
const posted = (type?: string) => ({
  method: 'POST',
  ...(type !== undefined && { headers: { 'content-type': type } }),
});

test.each<[BaseRouteName | undefined, HttpRequest, refusal: object | 'nothing']>([
  [undefined, { headers: match }, 'nothing'],
  ['getManyBase', { headers: match }, 'nothing'],
  ['getOneBase', {}, 'nothing'],
  ['updateOneBase', {}, required],
  ['updateOneBase', { headers: match }, 'nothing'],
  ['updateOneBase', { headers: none }, required],
  ['replaceOneBase', { headers: none }, 'nothing'],
  ['replaceOneBase', { headers: { 'if-none-match': '"a"' } }, required],
  ['updateManyBase', {}, 'nothing'],
  ['updateManyBase', { headers: match }, many],
  ['updateManyBase', { headers: { 'if-match': ['"a"', '"b"'] } }, many],
  ['deleteManyBase', { method: 'DELETE' }, 'nothing'],
  ['deleteManyBase', posted(), media],
  ['deleteManyBase', posted('text/plain; x=application/json'), media],
  ['deleteManyBase', posted(' Application/JSON ; charset=utf-8'), 'nothing'],
])('%s, sent %j, refuses %j', (route, http, refusal) => {
  const routes = Object.fromEntries(
    ['updateOne', 'replaceOne', 'updateMany'].map((verb) => [`${verb}Base`, { requireMatch: true }]),
  );
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
