import { expect, test } from '@jest/globals';
import { namesOf } from '../src/names.js';

test.each([
  ['books', 'book', 'Books', 'Book', 'books'],
  ['libraryCards', 'library-card', 'LibraryCards', 'LibraryCard', 'libraryCards'],
  ['library_cards', 'library-card', 'LibraryCards', 'LibraryCard', 'libraryCards'],
  ['companies', 'company', 'Companies', 'Company', 'companies'],
  ['addresses', 'address', 'Addresses', 'Address', 'addresses'],
  ['boxes', 'box', 'Boxes', 'Box', 'boxes'],
  ['houses', 'house', 'Houses', 'House', 'houses'],
  ['status', 'status-item', 'Status', 'StatusItem', 'status'],
  ['staff', 'staff-item', 'Staff', 'StaffItem', 'staff'],
])('%s', (name, singular, Plural, Singular, table) =>
  expect(namesOf(name)).toMatchObject({ singular, Plural, Singular, table }),
);

test.each(['', '2books', 'a b', "a'b", '../books', 'bücher', 'a--b'])('%j names no resource', (name) =>
  expect(() => namesOf(name)).toThrow(`${JSON.stringify(name)} cannot name a resource`),
);
