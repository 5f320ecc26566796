/** Whatever stands on the way to a value: if clients may name it, answers show it as it is stored. Found out by serializing samples. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import fc from 'fast-check';
import type { Catalog } from '../../src/plan/catalog.js';
import { serializeResponse } from '../../src/serialization/serialize.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { definitionOf, seen } from './seen.js';

type Decorate = (prototype: object, property: string, inner: Class<object>) => void;

const by =
  (decorate: PropertyDecorator): Decorate =>
  (prototype, property) =>
    decorate(prototype, property);

const mask = Transform(({ value }) =>
  typeof value === 'string' ? value.replace(/\d(?=\d{4})/g, '*') : (value as unknown),
);

/** Sets a type whose properties are all decorated. */
const typed =
  (decorate: PropertyDecorator): Decorate =>
  (prototype, property) => {
    class Decorated {}
    for (const name of ['p1', 'p2', 'value']) decorate(Decorated.prototype, name);
    Type(() => Decorated)(prototype, property);
  };

/** What may stand on a property, or on the class that holds it. */
const UNDERSTOOD: Readonly<Record<string, Decorate>> = {
  nothing: () => undefined,
  excluded: by(Exclude()),
  excludedFromBodies: by(Exclude({ toClassOnly: true })),
  forGroup: by(Expose({ groups: ['g'] })),
  since: by(Expose({ since: 2 })),
  renamed: by(Expose({ name: 'renamed' })),
  closedClass: (prototype) => Exclude()(prototype.constructor),
  typeOfItsOwn: (prototype, property, inner) => Type(() => inner)(prototype, property),
  typeThatHides: typed(Exclude()),
  transformOfBodies: by(Transform(() => '', { toClassOnly: true })),
};
const CHANGING: Readonly<Record<string, Decorate>> = {
  mask: by(mask),
  maskUntil: by(Transform(() => '*', { until: 2 })),
  typeThatMasks: typed(mask),
  overwritten: by(Expose({ name: 'other' })),
  accessor: (prototype, property) =>
    Object.defineProperty(prototype, property, {
      get: () => 'computed',
      set(this: object, kept: unknown) {
        Object.defineProperty(this, 'kept', { value: kept });
      },
    }),
  toJson: (prototype, property) =>
    Object.assign(prototype, {
      toJSON(this: object) {
        return { ...this, [property]: 'printed' };
      },
    }),
};

const DECORATIONS = { ...UNDERSTOOD, ...CHANGING };

/** Classes of an answer, of which the first property is decorated, too. */
function responseOf(name: string, first: string): Class<unknown> | false | undefined {
  if (name === 'raw') return false;
  if (name === 'none') return undefined;
  class Dto {}
  DECORATIONS[name]!(Dto.prototype, first, Dto);
  return Dto;
}

const RESPONSES = ['raw', 'none', 'nothing', 'excluded', 'closedClass', 'typeThatHides', 'mask', 'accessor'];
const OPTIONS = [undefined, { groups: ['g'] }, { version: 1 }, { version: 2 }, { excludePrefixes: ['p1'] }];
const CONTAINERS = ['to-one', 'to-many', 'embedded'] as const;

/** Classes `p0.p1.….value` with their decorations: the catalog of the first one, and a record of it. */
function buildWay(kinds: readonly (typeof CONTAINERS)[number][], decorations: readonly string[]) {
  const classes = [...kinds, 'value'].map(() => class {} as Class<object>);
  const properties = [...kinds.map((_, index) => `p${index}`), 'value'];
  for (const [index, target] of classes.entries()) {
    const inner = classes[index + 1] ?? target;
    DECORATIONS[decorations[index]!]!(target.prototype as object, properties[index]!, inner);
  }
  const entityAt = (start: number): Catalog => {
    let end = start;
    while (kinds[end] === 'embedded') end++;
    const path = properties.slice(start, end + 1).join('.');
    const isColumn = end === kinds.length;
    const kind = kinds[end] === 'to-many' ? 'one-to-many' : 'many-to-one';
    const columns = [column('other', 'text'), ...(isColumn ? [column(path, 'text')] : [])];
    const relations = isColumn ? [] : [relation(path, kind, () => entityAt(end + 1))];
    const target = classes[start]!;
    const embedded = new Map<string, Class<object>>();
    for (let at = start; at < end; at++) embedded.set(properties.slice(start, at + 1).join('.'), classes[at + 1]!);
    const recordClasses = [{ target, paths: new Set(['other', path]), embedded }];
    return { ...catalog(`Entity${start}`, columns, relations), target, recordClasses };
  };
  const make = (value: string, index = 0): object => {
    const inner = index === kinds.length ? value : make(value, index + 1);
    return Object.assign(new classes[index]!(), {
      other: 'other',
      [properties[index]!]: kinds[index] === 'to-many' ? [inner] : inner,
    });
  };
  const joins = kinds.flatMap((kind, at) => (kind === 'embedded' ? [] : [properties.slice(0, at + 1).join('.')]));
  return { root: entityAt(0), name: properties.join('.'), joins, make };
}

const SAMPLES = ['4111222233334444', '4111222299994444', 'plain'];

/** Whether answers have all samples at one place, whatever its name. */
function holdsEach(answers: readonly unknown[]): boolean {
  if (answers.every((answer, index) => answer === SAMPLES[index])) return true;
  const [first] = answers;
  return (
    typeof first === 'object' &&
    first !== null &&
    Object.keys(first).some((key) => holdsEach(answers.map((answer) => (answer as Record<string, unknown>)?.[key])))
  );
}

const RUNS = Number(process.env['VISIBILITY_RUNS'] ?? 500);
const decoration = fc.oneof(
  { weight: 4, arbitrary: fc.constant('nothing') },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(UNDERSTOOD)) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(CHANGING)) },
);

test('what may be named in a condition is shown as it is stored, and so may be what is only decorated plainly', () => {
  let shown = 0;
  const containers = fc.array(fc.constantFrom(...CONTAINERS), { maxLength: 2 });
  const decorations = fc.array(decoration, { minLength: 3, maxLength: 3 });
  const [responses, requests] = [fc.constantFrom(...RESPONSES), fc.constantFrom(...OPTIONS)];
  fc.assert(
    fc.property(containers, decorations, responses, requests, (kinds, decorated, response, options) => {
      const { root, name, joins, make } = buildWay(kinds, decorated);
      const target = responseOf(response, name.split('.')[0]!);
      const query = { join: Object.fromEntries(joins.map((path) => [path, {}])) };
      const serialize = target === undefined ? {} : { get: target };
      const definition = definitionOf(root.target as Class<unknown>, { query, serialize });
      const answer = (sample: string) =>
        JSON.stringify(serializeResponse(make(sample), definition, 'getOneBase', options));
      const isShown = holdsEach(SAMPLES.map((sample) => JSON.parse(answer(sample)) as unknown));
      const isNamed = seen(definition, root, [name], options).length > 0;
      const isPlain = [...decorated.slice(0, kinds.length + 1), response].every(
        (one) => one in UNDERSTOOD || one === 'none' || one === 'raw',
      );
      if (isNamed) expect(isShown).toBe(true);
      if (isPlain && isShown) expect(isNamed).toBe(true);
      shown += isNamed ? 1 : 0;
    }),
    { numRuns: RUNS },
  );
  expect([shown > RUNS / 20, shown < RUNS / 2]).toEqual([true, true]);
});
