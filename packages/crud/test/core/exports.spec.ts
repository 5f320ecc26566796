/** The names that adapters need, and values of nestjsx/crud's that applications store or compare. */
import { expect, test } from '@jest/globals';
import * as crud from '@nestwright/crud';
import * as adapter from '@nestwright/crud/adapter';

const FOR_ADAPTERS = [
  ...['crudError', 'ERRORS', 'planRead', 'planRecord', 'planScope', 'planWrite', 'project', 'readValue'],
  ...['reportOutcome', 'definitionOf'],
];

test('what adapters need is exported for them, not for applications', () => {
  expect(FOR_ADAPTERS.filter((name) => name in adapter)).toEqual(FOR_ADAPTERS);
  expect(FOR_ADAPTERS.filter((name) => name in crud)).toEqual([]);
});

test('values that applications store or compare are those of nestjsx/crud', () => {
  expect(crud.CrudActions).toEqual({
    ReadAll: 'Read-All',
    ReadOne: 'Read-One',
    CreateOne: 'Create-One',
    CreateMany: 'Create-Many',
    UpdateOne: 'Update-One',
    ReplaceOne: 'Replace-One',
    DeleteOne: 'Delete-One',
    DeleteAll: 'Delete-All',
    RecoverOne: 'Recover-One',
    CountAll: 'Count-All',
    AggregateAll: 'Aggregate-All',
    UpdateMany: 'Update-Many',
    ReplaceMany: 'Replace-Many',
    DeleteMany: 'Delete-Many',
    RecoverMany: 'Recover-Many',
  });
  expect(crud.CrudValidationGroups).toEqual({ CREATE: 'CRUD-CREATE', UPDATE: 'CRUD-UPDATE' });
});
