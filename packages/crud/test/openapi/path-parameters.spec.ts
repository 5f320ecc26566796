import { expect, test } from '@jest/globals';
import { namesInPath } from '../../src/openapi/parameters.js';

test.each([
  ['users/:id', ['id']],
  ['/companies/{companyId}/users/{id}', ['companyId', 'id']],
  ['users{/:id}', ['id']],
  ['users/:id((?:\\d+))/:other', ['id', 'other']],
  ['users', []],
])('the parameters of %s', (path, names) => {
  expect(namesInPath(path)).toEqual(names);
});
