/** Whatever stands on the way to a value: if clients may name it, answers show it as it is stored. Found out by serializing samples. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import fc from 'fast-check';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { findField, getNames } from '../../src/plan/resolve-names.js';
import { serializeResponse } from '../../src/serialization/serialize.js';
import { judgePaths } from '../../src/visibility/path-states.js';
import { catalog, column, relation } from '../plan/catalogs.js';

const maskDigits = (value: unknown) => (typeof value === 'string' ? value.replace(/\d(?=\d{4})/g, '*') : value);

type Decorate = (prototype: object, property: string, inner: Class<object>) => void;

const by =
  (decorate: PropertyDecorator): Decorate =>
  (prototype, property) =>
    decorate(prototype, property);

@Exclude()
class Closed {}

/** A class whose properties are all decorated. */
function decorated(decorate: PropertyDecorator): Class<object> {
  class Decorated {}

  for (const name of ['p1', 'p2', 'value']) decorate(Decorated.prototype, name);
  return Decorated;
}

/** Such a class as a type, the same whenever it is asked for. */
function typeOf(decorate: PropertyDecorator): PropertyDecorator {
  const target = decorated(decorate);
  return Type(() => target);
}

/** What may stand on a property, or on the class that holds it. */
const UNDERSTOOD: Readonly<Record<string, Decorate>> = {
  nothing: () => undefined,
  excluded: by(Exclude()),
  excludedFromBodies: by(Exclude({ toClassOnly: true })),
  forGroup: by(Expose({ groups: ['g'] })),
  since: by(Expose({ since: 2 })),
  until: by(Expose({ until: 2 })),
  renamed: by(Expose({ name: 'renamed' })),
  closedClass: (prototype) => Exclude()(prototype.constructor),
  closedClassOpenProperty: (prototype, property) => {
    Exclude()(prototype.constructor);
    Expose()(prototype, property);
  },
  typeOfItsOwn: (prototype, property, inner) => Type(() => inner)(prototype, property),
  typeThatHides: (prototype, property) => typeOf(Exclude())(prototype, property),
  transformOfBodies: by(Transform(() => '', { toClassOnly: true })),
};

const CHANGING: Readonly<Record<string, Decorate>> = {
  digitMask: by(Transform(({ value }) => maskDigits(value))),
  maskByOther: by(Transform(({ value, obj }) => ((obj as Sample).open ? (value as unknown) : null))),
  maskForGroup: by(Transform(({ value }) => maskDigits(value), { groups: ['g'] })),
  maskUntil: by(Transform(({ value }) => maskDigits(value), { until: 2 })),
  typeThatMasks: (prototype, property) => typeOf(Transform(({ value }) => maskDigits(value)))(prototype, property),
  typeOfObject: (prototype, property, inner) =>
    Type((options) => ((options?.object as Sample).open ? inner : Closed))(prototype, property),
  typeOfObjectByDefault: (prototype, property, inner) => {
    const none = { newObject: {}, object: {}, property };
    Type((options = none) => ((options.object as Sample).open ? inner : Closed))(prototype, property);
  },
  discriminator: (prototype, property, inner) => {
    const subTypes = [{ value: inner, name: 'inner' }];
    Type(() => inner, { discriminator: { property: 'kind', subTypes } })(prototype, property);
  },
  overwritten: by(Expose({ name: 'open' })),
  accessor: (prototype, property) =>
    Object.defineProperty(prototype, property, {
      configurable: true,
      get: () => 'computed',
      set(this: object, value) {
        Object.defineProperty(this, 'kept', { value: value as unknown });
      },
    }),
  exposedAccessor: (prototype, property, inner) => {
    CHANGING['accessor']!(prototype, property, inner);
    Expose()(prototype, property);
  },
  toJson: (prototype, property) =>
    Object.assign(prototype, {
      toJSON(this: Sample) {
        return { ...this, [property]: 'printed' };
      },
    }),
};

const DECORATIONS = { ...UNDERSTOOD, ...CHANGING };
const decoration = fc.oneof(
  { weight: 4, arbitrary: fc.constant('nothing') },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(UNDERSTOOD)) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(CHANGING)) },
);

const CONTAINERS = ['to-one', 'to-many', 'embedded'] as const;
const RESPONSES = ['none', 'same', 'closed', 'lacking', 'nested', 'masking', 'initialised', 'accessor', 'raw'] as const;
const OPTIONS = [
  ...[undefined, { groups: ['g'] }, { groups: ['h'] }, { version: 1 }, { version: 2 }, { excludePrefixes: ['p1'] }],
  ...[{ strategy: 'excludeAll' as const }, { ignoreDecorators: true }],
];

/** A record with a value somewhere in it. */
interface Sample {
  open?: boolean;
  [property: string]: unknown;
}

/** Classes `p0.p1.….value` with their decorations, the catalog of the first one, and records of it. */
interface Way {
  readonly root: Catalog;
  readonly joins: readonly string[];
  readonly name: string;
  /** Records of the first class and of one that inherits from it, in which other properties differ too. */
  readonly make: (value: unknown) => object[];
}

function buildWay(
  containers: readonly (typeof CONTAINERS)[number][],
  decorations: readonly string[],
  { isInJson, childDecoration }: { readonly isInJson: boolean; readonly childDecoration: string },
): Way {
  const kinds = [...containers, ...(isInJson ? (['json'] as const) : [])];
  const classes = [...kinds, 'value'].map(() => class {} as Class<object>);
  const properties = [...kinds.map((_, index) => `p${index}`), 'value'];
  const decorate = (target: Class<object>, index: number, name: string) =>
    DECORATIONS[name]!(target.prototype as object, properties[index]!, classes[index + 1] ?? classes[index]!);
  classes.forEach((target, index) => decorate(target, index, decorations[index]!));
  const child = class extends classes[0]! {} as Class<object>;
  decorate(child, 0, childDecoration);
  const entityAt = (start: number): Catalog => {
    const own = (kind: unknown) => kind === 'embedded' || kind === 'json';
    let end = start;
    while (own(kinds[end])) end++;
    const path = properties.slice(start, end + 1).join('.');
    const stored = isInJson && end === kinds.length ? path.slice(0, -'.value'.length) : path;
    const isColumn = end === kinds.length;
    const related = isColumn ? undefined : entityAt(end + 1);
    const embedded = new Map(
      classes
        .slice(start + 1, end + 1)
        .map((type, index) => [properties.slice(start, start + index + 1).join('.'), type]),
    );
    const targets = start === 0 ? [classes[0]!, child] : [classes[start]!];
    return {
      ...catalog(
        `Entity${start}`,
        [column('open', 'boolean'), ...(isColumn ? [column(stored, isInJson ? 'json' : 'text')] : [])],
        related ? [relation(path, kinds[end] === 'to-many' ? 'one-to-many' : 'many-to-one', () => related)] : [],
      ),
      target: targets[0]!,
      recordClasses: targets.map((target) => ({ target, paths: new Set(['open', stored]), embedded })),
    };
  };
  const fill = (target: Class<object>, index: number, value: unknown, open: boolean): object => {
    const record = (kinds[index - 1] === 'json' ? {} : new target()) as Sample;
    record.open = open;
    const inner = index === kinds.length ? value : fill(classes[index + 1]!, index + 1, value, open);
    record[properties[index]!] = kinds[index] === 'to-many' ? [inner] : inner;
    return record;
  };
  const relationPaths = kinds.flatMap((kind, index) =>
    kind === 'to-one' || kind === 'to-many' ? [properties.slice(0, index + 1).join('.')] : [],
  );
  return {
    root: entityAt(0),
    joins: relationPaths,
    name: properties.join('.'),
    make: (value) =>
      [true, false].flatMap((open) => [classes[0]!, child].map((target) => fill(target, 0, value, open))),
  };
}

function responseClass(kind: (typeof RESPONSES)[number], first: string): Class<unknown> | false | undefined {
  class Inner {}

  class Dto {}

  switch (kind) {
    case 'none':
      return undefined;
    case 'raw':
      return false;
    case 'closed':
      Exclude()(Dto);
      for (const name of [first, 'renamed']) Expose()(Dto.prototype, name);
      break;
    case 'lacking':
      Exclude()(Dto.prototype, first);
      break;
    case 'nested':
      for (const name of ['p1', 'value']) Exclude()(Inner.prototype, name);
      Type(() => Inner)(Dto.prototype, first);
      break;
    case 'masking':
      CHANGING['digitMask']!(Dto.prototype, first, Inner);
      break;
    case 'accessor':
      CHANGING['accessor']!(Dto.prototype, first, Inner);
      break;
    case 'initialised':
      CHANGING['digitMask']!(Inner.prototype, 'p1', Inner);
      Exclude()(Inner.prototype, 'value');
      return class {
        constructor() {
          Object.assign(this, { [first]: new Inner() });
        }
      };
  }
  return Dto;
}

const SAMPLES = ['4111222233334444', '4111222299994444', 'plain', ''];

/** Whether answers have all values at one place as they are, whatever its name. */
function holdsEach(answers: readonly unknown[], values: readonly unknown[]): boolean {
  if (answers.every((answer, index) => answer === values[index])) return true;
  const [first] = answers;
  if (typeof first !== 'object' || first === null) return false;
  const at = (answer: unknown, key: string) =>
    typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[key] : undefined;
  return Object.keys(first).some((key) => holdsEach(answers.map((answer) => at(answer, key)), values)); // prettier-ignore
}

/** Whether some answer shows the value of every record as it is stored. */
function showsAsStored({ make }: Way, definition: ResourceDefinition, options: object | undefined): boolean {
  const shapes = make('').map((_, index) => SAMPLES.map((sample) => make(sample)[index]!));
  return (['getManyBase', 'getOneBase'] as const).some((route) =>
    shapes.every((records) => {
      try {
        const answers = records.map((record) => JSON.stringify(serializeResponse(record, definition, route, options)));
        return holdsEach(answers.map((answer) => JSON.parse(answer) as unknown), SAMPLES); // prettier-ignore
      } catch {
        return false;
      }
    }),
  );
}

const RUNS = Number(process.env['VISIBILITY_RUNS'] ?? 500);

test('what may be named in a condition is shown as it is stored, and so may be what is only decorated plainly', () => {
  let shown = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...CONTAINERS), { maxLength: 2 }),
      fc.array(decoration, { minLength: 4, maxLength: 4 }),
      fc.record({ isInJson: fc.boolean(), childDecoration: decoration }),
      fc.constantFrom(...RESPONSES),
      fc.constantFrom(...OPTIONS),
      (containers, decorations, more, response, options) => {
        const way = buildWay(containers, decorations, more);
        const { root, joins, name } = way;
        const target = responseClass(response, name.split('.')[0]!);
        const definition = {
          model: root.target,
          serialize: target === undefined ? {} : { get: target },
          options: { query: { join: Object.fromEntries(joins.map((path) => [path, {}])) }, routes: {} },
          routes: new Set(['getManyBase', 'getOneBase']),
        } as unknown as ResourceDefinition;
        const place = findField(getNames(root, definition.options.query), name)!;
        const isNamed = judgePaths(definition, root, options)(place) === 'shown';
        const isShown = showsAsStored(way, definition, options);
        const isPlain =
          decorations.every((one) => one in UNDERSTOOD) &&
          more.childDecoration === 'nothing' &&
          !more.isInJson &&
          !['masking', 'accessor', 'initialised'].includes(response) &&
          !(options && 'ignoreDecorators' in options);
        if (isNamed) expect(isShown).toBe(true);
        if (isPlain && isShown) expect(isNamed).toBe(true);
        shown += isNamed ? 1 : 0;
      },
    ),
    { numRuns: RUNS },
  );
  expect([shown > RUNS / 20, shown < RUNS / 2]).toEqual([true, true]);
});
