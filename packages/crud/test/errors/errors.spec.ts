/** The table of errors: what a row becomes, and that the documentation shows exactly these rows. */
import { readFileSync } from 'node:fs';
import { ConflictException, NotFoundException } from '@nestjs/common';
import { describe, expect, test } from '@jest/globals';
import { crudError, ERRORS } from '../../src/errors.js';

describe('crudError', () => {
  test('makes the ordinary Nest exception of the row, with code and field', () => {
    const cause = new Error('driver text');
    const error = crudError('CRUD_UNIQUE_VIOLATION', { message: ['email already exists'], field: 'email', cause });
    expect(error).toBeInstanceOf(ConflictException);
    expect(error.getStatus()).toBe(409);
    expect(error.getResponse()).toEqual({
      statusCode: 409,
      message: ['email already exists'],
      error: 'Conflict',
      code: 'CRUD_UNIQUE_VIOLATION',
      field: 'email',
    });
    expect(error.cause).toBe(cause);
  });

  test('falls back to the message of the row, without a field', () => {
    const error = crudError('CRUD_NOT_FOUND');
    expect(error).toBeInstanceOf(NotFoundException);
    expect(error.getResponse()).toEqual({
      statusCode: 404,
      message: 'Not found',
      error: 'Not Found',
      code: 'CRUD_NOT_FOUND',
    });
  });
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
