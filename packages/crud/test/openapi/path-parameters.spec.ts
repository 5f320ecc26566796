import { expect, test } from '@jest/globals';
import { namesIn } from '../../src/openapi/path-parameters.js';

test.each([
  ['users/:id', ['id']],
  ['/companies/{companyId}/users/{id}', ['companyId', 'id']],
  ['users{/:id}', ['id']],
  ['users/:id((?:\\d+))/:other', ['id', 'other']],
  ['users', []],
])('the parameters of %s', (path, names) => {
  expect(namesIn(path)).toEqual(names);
});
