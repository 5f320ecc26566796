/** The table of errors: what a row becomes, and that the documentation shows exactly these rows. */
import { readFileSync } from 'node:fs';
import { ConflictException, type HttpException, NotFoundException } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { crudError, ERRORS, readRetryDelay, serverError } from '../../src/errors.js';
import { invalidCursor } from '../../src/plan/cursor.js';
import { thrownException } from '../../src/validation/body-exceptions.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { refusalOf } from '../plan/plans.js';

test('an error is the Nest exception of its row, with code, field and message', () => {
  const cause = new Error('driver text');
  const error = crudError('CRUD_UNIQUE_VIOLATION', { message: ['email already exists'], field: 'email', cause });
  expect(error).toBeInstanceOf(ConflictException);
  expect([error.getStatus(), error.cause]).toEqual([409, cause]);
  expect(error.getResponse()).toEqual({
    statusCode: 409,
    message: ['email already exists'],
    error: 'Conflict',
    code: 'CRUD_UNIQUE_VIOLATION',
    field: 'email',
  });

  const byDefault = crudError('CRUD_NOT_FOUND');
  const body = { statusCode: 404, message: 'Not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' };
  expect(byDefault).toBeInstanceOf(NotFoundException);
  expect(byDefault.getResponse()).toEqual(body);
});

test('errors that others make have their own code, field and cause', () => {
  const cause = new Error('driver text');
  const made = [invalidCursor(cause), serverError(cause)] as HttpException[];
  expect(made.map((error) => error.cause)).toEqual([cause, cause]);
  const cursor = { statusCode: 400, code: 'CRUD_INVALID_CURSOR', field: 'cursor' };
  expect(made[0]!.getResponse()).toMatchObject(cursor);
  expect(made[1]!.getResponse()).toEqual({ statusCode: 500, message: 'Internal server error' });
});

test('a delay is that of an exception which has one', () => {
  const delayed = crudError('CRUD_UNAVAILABLE', { retryAfter: 7 });
  expect(readRetryDelay(delayed)).toBe(7);
  expect([crudError('CRUD_CONFLICT'), new Error('x'), 'x', null, undefined].filter(readRetryDelay)).toEqual([]);
  expect(delayed.getResponse()).not.toHaveProperty('retryAfter');
});

test('a body that is nested too deeply, and ill-formed text, are told', () => {
  const deep: object = Array.from({ length: 2000 }).reduce<object>((inner) => ({ inner }), {});
  const told = { statusCode: 400, code: 'CRUD_INVALID_BODY', message: ['The body is nested too deeply'] };
  expect(refusalOf(() => copyBody(deep))).toMatchObject(told);

  const cause = new URIError('URI malformed');
  const refused = thrownException(cause, { resource: 'R', by: 'A rule', of: 'X' }) as HttpException;
  expect([refused.getResponse(), refused.cause]).toEqual([
    expect.objectContaining({ code: 'CRUD_INVALID_BODY', message: [expect.stringContaining('not well-formed')] }),
    cause,
  ]);
});

test('docs/errors.md shows the table, row by row', () => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(CRUD_\w+)` \| (\d+) \| ([^|]+) \|/gm)].map(([, code, status, message]) => [
    code,
    { status: Number(status), message: message?.trim() },
  ]);
  expect(Object.fromEntries(rows)).toEqual(ERRORS);
  expect(rows.map(([code]) => code)).toEqual(Object.keys(ERRORS));
});
