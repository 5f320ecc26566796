/** Query strings of some 5 KB, each of a shape that no other has: what a client sends that wants to fill caches. */
import { RELATIONS, texts } from './domain.js';

const OPERATORS = ['eq', 'ne', 'starts', 'cont', 'gt', 'lt', 'notnull', 'in', 'between'];

/** Numbers that look random and come again in each run. */
export function numbers(seed) {
  let state = seed >>> 0;

  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const encoded = (parameters) => parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

/** Ways to make shapes; `size` is 1 for the largest that one request may be. */
export const KINDS = {
  conditions: (random, size) => encoded(times(Math.ceil(95 * size), () => ['filter', condition(random, '')])),
  documents: (random, size) =>
    encoded(
      times(Math.ceil(95 * size), () => ['filter', `data.${word(random)}.${word(random)}||$eq||${random(1000)}`]),
    ),
  lists: (random, size) =>
    encoded([
      ...times(4, () => ['filter', `${text(random)}||$in||${times(Math.ceil(250 * size), () => random(9999)).join()}`]),
      ...times(6, () => ['sort', `${text(random)},ASC`]),
      ['fields', picked(random).join()],
    ]),
  fields: (random) => encoded([['fields', picked(random).join()], ...times(4, () => ['sort', `${text(random)},DESC`])]),
  nested: (random, size) => encoded([['s', JSON.stringify(search(random, Math.ceil(12 * size)))]]),
  joins: (random, size) => {
    const relations = RELATIONS.slice(0, Math.ceil(RELATIONS.length * size));

    return encoded(
      relations.map((relation) => {
        const on = times(Math.ceil(12 * size), (index) => `on[${index}]=${relation}.${text(random)}||$eq||${index}`);
        return ['join', `${relation}||${picked(random).join()}||${on.join()}`];
      }),
    );
  },
  related: (random, size) =>
    encoded([
      ...RELATIONS.slice(0, Math.ceil(3 * size)).map((relation) => ['join', relation]),
      ...times(Math.ceil(40 * size), () => ['filter', condition(random, ['', 'company.', 'projects.'][random(3)])]),
    ]),
};

const word = (random) => times(6, () => String.fromCharCode(97 + random(26))).join('');
const text = (random) => texts[random(texts.length)];
const picked = (random) => texts.filter(() => random(2) === 1).concat('id');

function condition(random, path) {
  const operator = OPERATORS[random(OPERATORS.length)];
  const value = { notnull: '', in: '||a,b,c', between: '||a,b' }[operator] ?? `||v${random(1000)}`;

  return `${path}${text(random)}||$${operator}${value}`;
}

function search(random, depth) {
  const own = Object.fromEntries(times(6, () => [text(random), { $eq: `v${random(1000)}` }]));

  return depth === 0 ? own : { [random(2) ? '$and' : '$or']: [own, search(random, depth - 1)] };
}
