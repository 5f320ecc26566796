/** The types of the builder accept and refuse what they should; what they cost the compiler is tested with the client's. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { linesWithMistakes, mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const BEFORE = `
import { RequestQueryBuilder } from '@nestwright/crud-request';
import type { User } from './entities.js';
const users = (): RequestQueryBuilder<User> => RequestQueryBuilder.create<User>();
const grouped = users().groupBy('role').aggregate(['count', '*'], ['avg', 'age']);
declare const following: string | null;
`;

/** What does not compile, a line each. */
const MISTAKES = `
users().setFilter({ field: 'greet', operator: 'isnull' }); // a method is no field
users().setFilter({ field: 'manager.manager.manager.age', operator: 'eq', value: 3 }); // deeper than paths may be
users().select(['projects.budget']); // a relation is not selected by fields behind it
users().select(['emial']); // no such field
users().setFilter({ field: 'birthDate', operator: 'starts', value: 'x' }); // no text operator on a date
users().setFilter({ field: 'isActive', operator: 'gt', value: true }); // no order on a boolean
users().setFilter({ field: 'email', operator: 'contArr', value: ['x'] }); // no array operator on a text
users().setFilter({ field: 'avatar', operator: 'eq', value: 'x' }); // bytes are only present or absent
users().setFilter({ field: 'email', operator: 'eq', value: 1 }); // a number for a text
users().setFilter({ field: 'age', operator: 'in', value: 1 }); // one value for a list
users().setFilter({ field: 'age', operator: 'between', value: [1] }); // one of two values
users().setFilter({ field: 'role', operator: 'eq', value: 'owner' }); // no member of the enumeration
users().setFilter({ field: 'email', operator: 'eq' }); // no value
users().setOr(['age', 'eq', 'x']); // alternatives are checked too
users().setJoin({ field: 'companies' }); // no such relation
users().setJoin({ field: 'company', select: ['email'] }); // no field of that relation
users().sortBy(['projects.budget', 'DESC']); // many values per record
users().sortBy({ field: 'id', order: 'UP' }); // no such order
users().search({ $and: [{ $or: [{ age: 'x' }] }] }); // nor at any depth
RequestQueryBuilder.create<User>({ sort: { field: 'nope', order: 'ASC' } }); // the parts of a whole query are checked
RequestQueryBuilder.create<User, 'sounds'>().setFilter({ field: 'nope', operator: 'sounds', value: 'x' }); // on fields that exist
users().cursor(following).sortBy(['nope', 'ASC']); // sorts of what is read by a cursor are typed as well
users().groupBy('nope'); // no such field
users().groupBy('birthDate:hour'); // no such part of the calendar
users().aggregate(['median', 'age']); // no such function
users().aggregate(['sum', '*']); // records can only be counted
grouped.having(['age', 'gt', 1]); // no key of the rows
grouped.having(['count', 'cont', '1']); // no text operator on rows
`;

// With the options of the workspace `npm run typecheck` compiles what is accepted.
test(
  'types accept the same in a project that Nest 11 generated',
  () => expect(mistakesUnder(NEST_11_CHECKS, fileOf('usage.ts'))).toEqual([]),
  120_000,
);

test.each([{}, NEST_11_CHECKS])(
  'types refuse every mistake, under the checks %j',
  (checks) => {
    const lines = MISTAKES.trim().split('\n');
    expect(linesWithMistakes(fileOf('mistakes.ts'), BEFORE, lines, checks)).toEqual(lines);
  },
  120_000,
);
