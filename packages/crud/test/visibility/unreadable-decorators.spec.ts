/** A class-transformer whose record of decorators cannot be read: nothing counts as shown as it is stored. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';
import { Expose } from 'class-transformer';
import { catalog, column } from '../plan/catalogs.js';

jest.unstable_mockModule('class-transformer/cjs/storage.js', () => ({ defaultMetadataStorage: {} }));

const { findClassAppearances, isShownByClass } = await import('../../src/visibility/path-states.js');
const { possibleOptions } = await import('../../src/visibility/property-rule.js');

class User {
  id!: number;
  @Expose() get computed(): string {
    return '';
  }
}

test('no column is known to be shown, no getter to be exposed, and no option of a request to matter', () => {
  const users = { ...catalog('User', [column('id', 'integer')]), target: User };
  expect(isShownByClass(users, users.columns.get('id')!)).toBe(false);
  const find = findClassAppearances(User);
  expect(['id', 'computed'].map((path) => find({ steps: [], path }).presence)).toEqual(['always', 'never']);
  expect(possibleOptions()).toEqual([{}]);
});
