/** Classes with any two decorators, and instances of them → the compiled way, byte for byte that of class-transformer; dates with a quick `toJSON`. */
import 'reflect-metadata';
import { afterEach, expect, jest, test } from '@jest/globals';
import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { decoratorStorage, getClassPlan } from '../../src/serialization/class-transformer.js';
import { convertToPlain, printable } from '../../src/serialization/to-plain.js';
import { isDeepStrictEqual } from 'node:util';

/** `@Type()` on a property of a declared type. */
const declared =
  (type: unknown): PropertyDecorator =>
  (target, property) => {
    Reflect.defineMetadata('design:type', type, target, property);
    Type()(target, property as string);
  };

const DECORATORS: Record<string, (type: () => object) => PropertyDecorator> = {
  exclude: () => Exclude(),
  excludePlain: () => Exclude({ toPlainOnly: true }),
  excludeClass: () => Exclude({ toClassOnly: true }),
  expose: () => Expose(),
  exposePlain: () => Expose({ toPlainOnly: true }),
  exposeClass: () => Expose({ toClassOnly: true }),
  exposeName: () => Expose({ name: 'renamed' }),
  exposeSame: () => Expose({ name: 'a' }),
  exposeGroup: () => Expose({ groups: ['admin'] }),
  exposeNoGroup: () => Expose({ groups: [] }),
  typeString: () => Type(() => String),
  typeNumber: () => Type(() => Number),
  typeBoolean: () => Type(() => Boolean),
  typeDate: () => Type(() => Date),
  typeClass: (type) => Type(type as () => never),
  typeDeclared: () => declared(Date),
};

class Other {
  a: unknown = '7';
  when = new Date(0);
}

const VALUES: readonly unknown[] = [
  ...['5', 7, true, null, undefined, 10n, new Date(5), new Date(NaN), Buffer.from('buffer'), new Set([1, 2])],
  ...[() => 'called', { toString: 2, a: 1 }, new Other(), [new Other(), 'x']],
  // eslint-disable-next-line no-sparse-arrays -- a hole is what is tested
  [1, , 2],
];

/** All that can be told of a value: order and kind included, invalid dates and what JSON does not know too. */
function shown(value: unknown): unknown {
  if (typeof value === 'function' || typeof value !== 'object' || value === null)
    return `${typeof value} ${String(value)}`;
  if (value instanceof Date) return `Date ${value.valueOf()}`;
  if (Buffer.isBuffer(value)) return `Buffer ${value.toString('hex')}`;
  const kind = (Object.getPrototypeOf(value) as object).constructor.name;
  return [kind, ...Object.entries(value).map(([key, item]) => [key, shown(item)])];
}

function outcomeOf(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

const STRATEGIES = [undefined, Exclude, Expose];

test.each(Object.keys(DECORATORS))('%s, beside any other decorator, is as class-transformer has it', (first) => {
  let [made, covered] = [0, 0];
  for (const second of Object.keys(DECORATORS)) {
    for (const property of ['a', 'b', 'computed', 'a', 'b', 'computed', 'a', 'b', 'computed']) {
      const own = STRATEGIES[Math.floor(made / 3) % 3];
      class Base {
        get computed() {
          return 'computed';
        }
      }
      class Child extends Base {}
      own?.()(Base);
      DECORATORS[first]!(() => Other)(Base.prototype, 'a');
      DECORATORS[second]!(() => Base)(Child.prototype, property);
      const values = { a: VALUES[made % VALUES.length], b: VALUES[(made * 7 + 3) % VALUES.length] };
      const instance = Object.assign(made % 2 ? new Child() : new Base(), { toString: 1 }, values);
      const expected = shown(outcomeOf(() => instanceToPlain(instance)));
      const actual = shown(outcomeOf(() => convertToPlain(instance)));
      expect({ second, property, values, plain: actual }).toEqual({ second, property, values, plain: expected });
      made += 1;
      covered += typeof getClassPlan(Child) === 'object' ? 1 : 0;
    }
  }
  expect([covered, decoratorStorage() === undefined]).toEqual([made, false]);
});

test('never returns the object it was given, nor its dates, nor what stands on Object.prototype', () => {
  class Plain {
    when = new Date(0);
    list = [{ a: 1 }];
  }

  const value = new Plain();
  Object.defineProperty(Object.prototype, 'polluted', { value: { deep: 1 }, enumerable: true, configurable: true });
  const plain = convertToPlain(value) as Plain;
  Reflect.deleteProperty(Object.prototype, 'polluted');
  expect(Object.keys(plain)).toEqual(['when', 'list']);
  expect([plain.when === value.when, plain.list[0] === value.list[0], plain instanceof Plain]).not.toContain(true);
});

const UNKNOWN = { newObject: {}, object: {}, property: '' };

test.each<[string, PropertyDecorator]>([
  ['@Transform()', Transform(() => 'changed')],
  ['a Map in a', declared(Map)],
  ['a discriminator on a', Type(() => Date, { discriminator: { property: 'kind', subTypes: [] } })],
  ['the type of a depends on its object', Type((options) => (options ? String : Number))],
  ['the type of a depends on its object', Type(({ object } = UNKNOWN) => ('a' in object ? String : Number))],
])('%s is left to class-transformer, in heirs too', (reason, decorate) => {
  class Decorated {}

  class Heir extends Decorated {}

  decorate(Decorated.prototype, 'a');
  const instance = Object.assign(new Heir(), { a: 1 });
  expect(getClassPlan(Heir)).toBe(reason);
  expect(outcomeOf(() => convertToPlain(instance))).toStrictEqual(
    outcomeOf(() => instanceToPlain(Object.assign(new Heir(), { a: 1 }))),
  );
});

class Odd {
  first = 1;
  when = new Date(0);
  call() {
    return 'never an own property';
  }
}

class Grouped {
  @Expose({ groups: ['admin'] }) a = 1;
  b = 2;
}

test.each<[what: string, value: object, options?: object]>([
  ['a symbol', Object.assign(new Odd(), { [Symbol('symbol')]: 1 })],
  ['a getter', Object.defineProperty(new Odd(), 'got', { get: () => new Date(1), enumerable: true })],
  ['a hidden property', Object.defineProperty(new Odd(), 'silent', { value: 1, enumerable: false })],
  ['__proto__', Object.defineProperty(new Odd(), '__proto__', { value: { polluted: 1 }, enumerable: true })],
  ['constructor', Object.assign(new Odd(), { constructor: Odd, last: [new Date(2)] })],
  ['methods of its own', Object.assign(new Odd(), { 1: 'one', own: () => [new Odd()] })],
  ['a map', { map: new Map([['a', { b: 1 }]]) }],
  ['groups', new Grouped(), { groups: ['admin'] }],
  ['empty options', new Grouped(), { groups: [], version: undefined }],
])('%s of an instance leaves as class-transformer lets it', (_, value, options = {}) => {
  const [plain, expected] = [convertToPlain(value, options) as object, instanceToPlain(value, options)];
  expect(plain).toStrictEqual(expected);
  expect(Reflect.ownKeys(plain)).toEqual(Reflect.ownKeys(expected));
});

test('promises are left to class-transformer', async () => {
  const { later } = convertToPlain({ later: Promise.resolve(1) }) as { later: unknown };
  expect(await later).toBe(1);
});

test('stored JSON that misleads class-transformer is sent all the same, and reaches no prototype', () => {
  const settings = '{"__proto__": {"polluted": 1}, "constructor": "x", "toString": 2, "a": 1}';
  const stored = JSON.parse(`{"settings": ${settings}}`) as object;
  expect(JSON.stringify(convertToPlain(stored))).toBe('{"settings":{"toString":2,"a":1}}');
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  class Transformed {
    @Transform(({ value }: { value: number }) => value + 1) count = 1;
    settings = JSON.parse('{"constructor": "x", "list": [{"constructor": 1, "a": 2}]}') as object;
    when = new Date(0);
  }

  const transform = jest.fn(() => JSON.parse('{') as never);
  class Failing {
    @Transform(transform) a = 1;
  }

  expect(() => convertToPlain(new Failing())).toThrow(SyntaxError);
  expect(transform).toHaveBeenCalledTimes(1);
  expect(() => instanceToPlain(new Transformed())).toThrow();
  const sent = { count: 2, settings: { list: [{ a: 2 }] }, when: new Date(0) };
  expect(convertToPlain(new Transformed())).toStrictEqual(sent);
  expect(convertToPlain(new Transformed(), { groups: ['a'] })).toMatchObject({ count: 2 });
});

const { toISOString, toJSON } = Date.prototype;

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, 'polluted');
  Object.defineProperty(Date.prototype, 'toISOString', { value: toISOString });
  Object.defineProperty(Date.prototype, 'toJSON', { value: toJSON });
});

test('any date is printed as JavaScript prints it', () => {
  const texts = [
    ...['1000-01-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '2000-02-29T12:34:56.007Z'],
    ...['+010000-01-01T00:00:00.000Z', '-000001-06-01T00:00:00.000Z', '1969-12-31T23:59:59.090Z'],
  ];
  for (const text of texts) expect(JSON.stringify(printable(new Date(text)))).toBe(JSON.stringify(text));
  // Days of twelve years, each tenth at another time.
  for (let time = Date.UTC(1995, 11, 31); time < Date.UTC(2008, 0, 1); time += 901_061_123)
    expect(JSON.stringify({ date: printable(new Date(time)) })).toBe(JSON.stringify({ date: new Date(time) }));
  expect(JSON.stringify(printable(new Date(NaN)))).toBe('null');
});

test('a printable date behaves like any other date', () => {
  const date = printable(new Date(5));
  expect(isDeepStrictEqual(date, new Date(5))).toBe(true);
  expect(date).toStrictEqual(new Date(5));
  expect({ ...date }).toEqual({});
  expect(Object.getPrototypeOf(date)).toBe(Date.prototype);
  expect(structuredClone(date)).toStrictEqual(new Date(5));
  date.setUTCFullYear(2024);
  expect(JSON.stringify(date)).toBe('"2024-01-01T00:00:00.005Z"');
});

test('methods that the application put in place of the built-in ones are called', () => {
  const date = printable(new Date(5));
  expect(JSON.stringify(printable(Object.assign(new Date(5), { toISOString: () => 'own' })))).toBe('"own"');
  Object.defineProperty(Date.prototype, 'toISOString', { value: () => 'iso' });
  expect(JSON.stringify(date)).toBe('"iso"');
  Object.defineProperty(Date.prototype, 'toJSON', { value: () => 'json' });
  expect(JSON.stringify(date)).toBe('"json"');
});
