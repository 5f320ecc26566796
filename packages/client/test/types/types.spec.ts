/** What compiles and what does not: `usage.ts`, by `npm run typecheck`, and the codes of errors; how long an entity of many properties takes the compiler. */
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { instantiationsIn, mistakesInCode } from '../../../../integration/test-support/compile.js';
import { ERRORS } from '../../../crud/src/errors.js';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

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

test('an entity of 60 fields and 12 relations takes the compiler little work', () => {
  const kinds = ['string', 'number', 'boolean', 'Date', 'string | null', "'a' | 'b'", 'string[]', 'unknown'];
  const make = (count: number, text: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => text(at)).join(' ');
  const fields = (name: string, count: number) => make(count, (at) => `${name}${at}: ${kinds[at % kinds.length]};`);
  const relations = make(12, (at) => `relation${at}?: Related${at}${at % 3 ? '' : '[]'};`);
  const next = (at: number) => `next?: Related${(at + 1) % 12}`;
  const related = make(
    12,
    (at) => `interface Related${at} { id: number; ${fields('part', 20)} big?: Big; ${next(at)} }`,
  );
  const code = `
    import { crudClient } from '../../src/index.js';
    interface Big { id: number; ${fields('field', 60)} ${relations} }
    ${related}
    const bigs = crudClient<Big>()('/bigs', { hidden: ['field3'] });
    export async function use() {
      const rows = await bigs.getMany((query) =>
        query.select(['field0', 'field5']).join('relation0', ['part0']).join('relation1').setFilter(['field1', '$gt', 3]));
      await bigs.getPage((query) => query.setFilter(['relation2.part0', '$cont', 'x']).cursor());
      await bigs.getOne(1, (query) => query.search({ field0: 'x', $or: [{ field1: { $gt: 1 } }, { 'relation3.part1': 2 }] }));
      const made = await bigs.create({ field0: 'x', relation0: [1, { part0: 'x' }] });
      await bigs.update(made, { field0: 'y' });
      return rows[0]?.relation1?.part1;
    }`;
  const small =
    "import { crudClient } from '../../src/index.js'; export const bigs = crudClient<{ id: number }>()('/bigs');";
  const file = fileOf('big.ts');

  expect(mistakesInCode(file, code)).toEqual([]);
  // A quarter of a million is about half a second.
  expect(instantiationsIn(file, code) - instantiationsIn(file, small)).toBeLessThan(250_000);
}, 60_000);
