/** Instances of bodies, most of which are made without class-transformer, held to what class-transformer itself makes. */
import { describe, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Exclude, Expose, Transform, Type as TypeOf } from 'class-transformer';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import { type InboundOptions, makeInstanceMaker, toInstance } from '../../src/validation/body-instance.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { outcome, rulesOf } from './rules-of.js';

type Body = Record<string, unknown>;

class Plain {
  name?: string;
  anything?: unknown;
  method(): void {}
  get computed(): string {
    return 'computed';
  }
  set settable(value: unknown) {
    this.anything = value;
  }
}

class City {
  name!: string;
}

class Decorated extends Plain {
  @TypeOf(() => City) city?: City;
  @TypeOf(() => Date) born?: Date;
  @Transform(({ value }: { value: unknown }) => [value]) wrapped?: unknown;
  @Exclude() secret?: unknown;
}

const SHARED = { colour: 'red' };

class Initialised extends Plain {
  created = new Date(0);
  theme = SHARED;
  day = '2020-01-01';
  make = String;
  override name = 'x';
}

const inbound: InboundOptions = { transformOptions: undefined, partial: false, keepExcluded: false };

const makeQuickly = (type: Type<unknown>, body: Body, options: Partial<InboundOptions> = {}): Body | undefined =>
  makeInstanceMaker(type, { ...inbound, ...options })?.(body);

const leaf = fc.oneof(fc.constantFrom('a', '', '2020-02-29', true, null), fc.integer(), fc.double());
const odd = fc.constantFrom('a', 'b', 'name', 'toString', 'then', '__proto__', 'constructor');
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(odd, leaf, { maxKeys: 3 }));
const declared = 'name anything city born wrapped secret created theme day make'.split(' ');
const others = 'method computed settable toString hasOwnProperty then 0 __proto__ constructor'.split(' ');
const names = fc.oneof(fc.constantFrom(...declared), fc.constantFrom(...declared, ...others));
const bodies = fc.dictionary(names, value, { maxKeys: 4 });
const types = fc.constantFrom(Plain, Decorated, Initialised);

test('a quick instance equals that of class-transformer, also in the order of properties', () => {
  const made = { quickly: 0, not: 0 };
  const compare = fc.property(types, bodies, fc.boolean(), (type, body, partial) => {
    const quick = makeQuickly(type, copyBody(body), { partial });
    made[quick ? 'quickly' : 'not'] += 1;
    if (!quick) return;
    const expected = toInstance(type, copyBody(body), { ...inbound, partial });
    expect(quick).toStrictEqual(expected);
    expect(Object.keys(quick)).toEqual(Object.keys(expected));
  });
  fc.assert(compare, { numRuns: sampleCount(3000) });

  // Both ways are met often.
  expect(Math.min(made.quickly, made.not)).toBeGreaterThan(sampleCount(300));
});

describe('bodies that need class-transformer go through it', () => {
  class Exposed {
    @Expose() name?: string;
  }

  @Exclude()
  class Hidden {
    name?: string;
  }

  test.each<[string, Type<unknown>, Body, isQuick?: boolean]>([
    ['a decorated property that the body does not carry', Decorated, { name: 'b' }, true],
    ['plain values', Plain, { name: 'b', anything: [{ a: [null, 1] }] }, true],
    ['exposed properties', Exposed, { name: 'a' }],
    ['classes that exclude all', Hidden, { name: 'a' }],
    ['no class', Object, { name: 'a' }],
    ['a date', Plain, { anything: new Date() }],
    ['a name of a method deep inside', Plain, { anything: [{ valueOf: 1 }] }],
  ])('%s', (...[, type, body, isQuick = false]) => expect(makeQuickly(type, body) !== undefined).toBe(isQuick));

  test('options of class-transformer', () =>
    expect(makeQuickly(Plain, {}, { transformOptions: { groups: ['a'] } })).toBeUndefined());
});

test('what is read shares no object with an initialiser of the class', async () => {
  const read = (await outcome(rulesOf(Initialised), { name: 'b' })) as Initialised;
  expect(read).toEqual({ name: 'b', created: new Date(0), theme: SHARED, day: '2020-01-01', make: String });
  expect(read.theme).not.toBe(SHARED);
});

test('what is read is an instance of the class where the application transforms', async () => {
  const read = await outcome(rulesOf(Plain, { validation: { transform: true } }), { name: 'b' });
  expect(read).toStrictEqual(toInstance(Plain, { name: 'b' }, inbound));
});
