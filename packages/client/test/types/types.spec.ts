/** What does not compile, beside what does in `usage.ts`; the codes of errors; how long an entity of many properties takes the compiler. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { instantiationsIn, linesWithMistakes, mistakesInCode } from '../../../../integration/test-support/compile.js';
import { ERRORS } from '../../../crud/src/errors.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const BEFORE = `
import { crudClient } from '../../src/index.js';
import type { Ticket, User } from '../entities.js';
const users = crudClient<User>()('/users', { hidden: ['secret'] });
const readOnly = crudClient<User>()('/users', { routes: ['getMany', 'getOne'] });
const upserted = crudClient<User>()('/users', { onConflict: ['email'] });
`;

/** What does not compile, a line each. */
const MISTAKES = `
void users.getMany((query) => query.select(['emial'])); // no such field
void users.getMany((query) => query.select(['projects'])); // a relation is no field
void users.getMany((query) => query.setFilter(['birthDate', '$cont', 'x'])); // an operator for texts on a date
void users.getOne(); // a record is asked for without a key
void users.update(1, { email: 3 }); // a number in place of a text
void users.getMany((query) => query.select(['email'])).then(([user]) => user?.age); // what was not selected is not there
void users.getOne(1).then((user) => user.secret); // hidden from answers
void users.getPage((query) => query.setPage(1)).then((page) => page.next); // a page by number has no cursor
void readOnly.create({ email: 'a' }); // the resource has no such route
void readOnly.mutations.create; // nor has it such a mutation
void crudClient<Ticket>()('/tickets').create({ state: 'opened' }); // no member of the enumeration
void upserted.create({ slug: 'a' }); // what it may conflict on is missing
void upserted.createMany([{ email: null }]); // null conflicts with nothing
void crudClient<User>()('/users', { onConflict: ['email'], routes: ['getMany'] }); // nothing is created
void crudClient<User>()('/users', { key: 'uuid' }); // no property of the entity
`;

test('mistakes do not compile', () => {
  const lines = MISTAKES.trim().split('\n');
  expect(linesWithMistakes(fileOf('mistakes.ts'), BEFORE, lines)).toEqual(lines);
}, 60_000);

test("the codes are those of the server's table of errors", () => {
  const codes = Object.keys(ERRORS);
  const code = `
    import type { CrudErrorCode } from '../../src/index.js';
    const all: Record<CrudErrorCode, true> = { ${codes.map((name) => `${name}: true`).join(', ')} };
    export default all;
  `;
  expect(codes.length).toBeGreaterThan(20);
  expect(mistakesInCode(fileOf('codes.ts'), code)).toEqual([]);
}, 60_000);

test('an entity of 30 fields and 8 relations takes the compiler little work', () => {
  const before = `
    import { crudClient } from '../../src/index.js';
    import type { Alpha } from '../../../crud-request/test/typed/benchmark.js';`;
  const code = `${before}
    const alphas = crudClient<Alpha>()('/alphas', { key: 'text1', hidden: ['text2'] });
    export async function use() {
      const rows = await alphas.getMany((query) =>
        query.select(['text1', 'flag2']).join('gamma', ['text3']).join('alpha').setFilter(['number1', '$gt', 3]));
      await alphas.getPage((query) => query.setFilter(['thetas.text3', '$cont', 'x']).cursor());
      await alphas.getOne('a', (query) => query.search({ text1: 'x', $or: [{ 'epsilon.number1': 2 }] }));
      await alphas.update(await alphas.create({ text1: 'x', betas: [{ text3: 'x' }] }), { text1: 'y' });
      return rows[0]?.alpha?.text3;
    }`;
  const [file, small] = [fileOf('big.ts'), `${before} export const one = crudClient<{ id: Alpha }>()('/bigs');`];
  expect(mistakesInCode(file, code)).toEqual([]);
  // A quarter of a million is about half a second.
  expect(instantiationsIn(file, code) - instantiationsIn(file, small)).toBeLessThan(250_000);
}, 60_000);
