/** The table of errors: what a row becomes, and that the documentation shows exactly these rows. */
import { readFileSync } from 'node:fs';
import { ConflictException, NotFoundException } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { crudError, ERRORS } from '../../src/errors.js';

test('an error is the ordinary Nest exception of its row, with code and field, by default with its message', () => {
  const cause = new Error('driver text');
  const error = crudError('CRUD_UNIQUE_VIOLATION', { message: ['email already exists'], field: 'email', cause });
  expect(error).toBeInstanceOf(ConflictException);
  expect([error.getStatus(), error.cause]).toEqual([409, cause]);
  expect(error.getResponse()).toEqual({
    ...{ statusCode: 409, message: ['email already exists'], error: 'Conflict' },
    ...{ code: 'CRUD_UNIQUE_VIOLATION', field: 'email' },
  });

  const byDefault = crudError('CRUD_NOT_FOUND');
  const body = { statusCode: 404, message: 'Not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' };
  expect(byDefault).toBeInstanceOf(NotFoundException);
  expect(byDefault.getResponse()).toEqual(body);
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
