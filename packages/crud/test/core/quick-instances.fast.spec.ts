/** Bodies, held to what class-transformer and class-validator themselves make of them; most are made without class-transformer. Rules that answer later are awaited, and run once. */
import { inspect } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import { Logger, type Type } from '@nestjs/common';
import { Exclude, Expose, plainToInstance, Transform, Type as TypeOf } from 'class-transformer';
import * as v from 'class-validator';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { makeInstanceMaker, toInstance, toPlainBody } from '../../src/validation/body-instance.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { ruleCheck } from '../../src/validation/rule-check.js';
import { rootPlace } from '../../src/validation/settable-properties.js';
import { rulesOf } from './rules-of.js';

type Body = Record<string, unknown>;

class Base {
  @v.IsOptional() @v.IsInt() @v.Max(150) age?: number;
  @v.IsOptional() @v.IsArray() @v.IsString({ each: true }) tags?: string[];
}

class Plain extends Base {
  @v.IsString() @v.MaxLength(5) name!: string;
  @v.IsOptional() @v.IsObject() settings?: object;
  @v.Allow() anything?: unknown;
  @v.ValidateIf(({ name }: Plain) => name === 'a') @v.IsIn(['x', 'y']) kind?: string;
  @v.IsOptional() @v.IsEmail({}, { groups: ['one'] }) email?: string;
  @v.IsOptional() @v.Length(1, 3, { always: true }) always?: string;
  unruled?: unknown;

  method(): string {
    return 'method';
  }

  get computed(): string {
    return 'computed';
  }

  set settable(value: unknown) {
    this.anything = value;
  }
}

class City {
  @v.IsString() name!: string;
}

class Decorated extends Plain {
  @v.IsOptional() @v.ValidateNested() @TypeOf(() => City) city?: City;
  @v.IsOptional() @TypeOf(() => Date) born?: Date;
  @v.IsOptional() @Transform(({ value }: { value: unknown }) => [value]) wrapped?: unknown;
  @Exclude() @v.IsOptional() secret?: unknown;
}

const SHARED = { colour: 'red' };

class Initialised extends Plain {
  created = new Date(0);
  theme = SHARED;
  @v.IsOptional() @v.IsDateString() day = '2020-01-01';
  override kind = 'x';
}

const CLASSES = { Plain, Decorated, Initialised } as const;

const inboundOf = ({ validation, mode, isModel }: BodyRules) => ({
  transformOptions: (validation || {}).transformOptions,
  partial: mode === 'update',
  keepExcluded: isModel,
});

const makeQuickly = (rules: BodyRules, body: Body): Body | undefined =>
  makeInstanceMaker(rules.type, inboundOf(rules))?.(copyBody(body));

/** What the two libraries make of a body, step by step. */
async function plainly(rules: BodyRules, body: Body, options: object): Promise<Body | undefined> {
  const { transform } = rules.validation || {};
  const instance = toInstance(rules.type, copyBody(body), inboundOf(rules));
  const errors = await v.validate(instance, options);

  return errors.length > 0 ? undefined : transform ? instance : (toPlainBody(instance, body) as Body);
}

/** What the library makes of a body; undefined if it refuses it. */
async function accept(rules: BodyRules, body: Body): Promise<Body | undefined> {
  const { value, errors } = await makeBodyValidator(rules)(body, new Set());

  return errors.length > 0 ? undefined : value;
}

const word = fc.constantFrom('a', 'bc', 'longer than five', '', 'a@example.com', '2020-02-29', 'x');
const leaf = fc.oneof(word, fc.integer({ min: -5, max: 200 }), fc.boolean(), fc.constant(null), fc.double());
const odd = fc.constantFrom('a', 'b', 'name', 'toString', 'then', '__proto__', 'constructor');
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(odd, leaf, { maxKeys: 3 }));
const declared = 'age tags name settings anything kind email always unruled city born wrapped secret created theme day';
const others = 'method computed settable toString hasOwnProperty then unknown 0 __proto__ constructor';
const names = `${declared} ${others}`.split(' ');
const right = fc.record(
  {
    name: fc.constantFrom('a', 'bc'),
    kind: fc.constantFrom('x', 'y'),
    age: fc.constantFrom(1, null),
    tags: fc.array(word),
    settings: fc.dictionary(word, leaf),
    anything: value,
    email: fc.constant('a@example.com'),
    always: fc.constant('x'),
  },
  { requiredKeys: ['name', 'kind'] },
);

const bodies = fc.oneof(
  right,
  fc.tuple(right, fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 })).map(([a, b]) => ({ ...a, ...b })),
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }),
);

const flags = [
  ...['whitelist', 'forbidNonWhitelisted', 'skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties'],
  ...['stopAtFirstError', 'strictGroups', 'always', 'forbidUnknownValues'],
];

const options = fc.record(Object.fromEntries(flags.map((flag) => [flag, fc.boolean()])), { requiredKeys: [] });

describe('any body of any class, with any options', () => {
  const given = fc.record({
    type: fc.constantFrom(...Object.values(CLASSES)),
    body: bodies,
    options,
    transform: fc.boolean(),
    mode: fc.constantFrom('insert' as const, 'update' as const),
  });

  test('is made an instance that is equal to that of class-transformer, in the order of its properties', () => {
    const made = { quickly: 0, not: 0 };
    const compare = fc.property(given, ({ type, body, mode }) => {
      const rules = rulesOf(type, { mode });
      const quick = makeQuickly(rules, body);
      made[quick ? 'quickly' : 'not'] += 1;
      if (!quick) return;
      const expected = toInstance(type, copyBody(body), inboundOf(rules));
      expect(quick).toStrictEqual(expected);
      expect(Object.keys(quick)).toEqual(Object.keys(expected));
    });
    fc.assert(compare, { numRuns: sampleCount(3000) });

    // Both ways are met often.
    expect(Math.min(made.quickly, made.not)).toBeGreaterThan(sampleCount(300));
  });

  test('is accepted if class-validator accepts it, with the value that both libraries make of it', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const accepted = { yes: 0, no: 0 };
    const compare = fc.asyncProperty(given, async ({ type, body, options, transform }) => {
      const rules = rulesOf(type, { validation: { ...options, transform } });
      const expected = await plainly(rules, body, { forbidUnknownValues: false, ...options }).catch(() => undefined);
      const made = await accept(rules, copyBody(body)).catch(() => undefined);
      accepted[expected ? 'yes' : 'no'] += 1;

      // Invalid dates are equal here.
      expect(inspect(made, { depth: null })).toBe(inspect(expected, { depth: null }));
    });
    await fc.assert(compare, { numRuns: sampleCount(3000) });
    error.mockRestore();
    expect(Math.min(accepted.yes, accepted.no)).toBeGreaterThan(sampleCount(300));
  });

  test('a plain body is made without class-transformer', () => {
    const isOdd = (body: object) => /toString|"then"|__proto__|constructor/.test(JSON.stringify(body));
    fc.assert(fc.property(right, (body) => isOdd(body) || makeQuickly(rulesOf(Plain), body) !== undefined));
  });
});

describe('bodies that need class-transformer go through it', () => {
  const accepts = (type: Type<unknown>, body: Body, rest = {}) =>
    makeInstanceMaker(type, inboundOf(rulesOf(type, rest)))?.(body) !== undefined;

  class Exposed {
    @Expose() name?: string;
  }

  @Exclude()
  class Hidden {
    name?: string;
  }

  class Other {
    constructor() {
      return new Plain();
    }
  }

  class Acting {
    act = () => 'done';
  }

  class Failing {
    constructor() {
      throw new Error('never made');
    }
  }

  const body = { name: 'b', kind: 'x' };

  test.each<[string, Type<unknown>, Body, object?]>([
    ['exposed properties', Exposed, { name: 'a' }],
    ['classes that exclude all', Hidden, { name: 'a' }],
    ['no class', Object, { name: 'a' }],
    ['a typed property', Decorated, { ...body, born: '2020-01-01' }],
    ['a transformed property', Decorated, { ...body, wrapped: 1 }],
    ['an excluded property', Decorated, { ...body, secret: 1 }],
    ['a method', Plain, { ...body, method: 1 }],
    ['a function that the class sets', Acting, { act: 1 }],
    ['an accessor', Plain, { ...body, computed: 1 }],
    ['a date', Plain, { ...body, anything: new Date() }],
    ['a buffer', Plain, { ...body, anything: Buffer.from('a') }],
    ['a name of a method deep inside', Plain, { ...body, anything: [{ valueOf: 1 }] }],
    ['a constructor that makes something else', Other, {}],
    ['a constructor that throws', Failing, {}],
    ['options of class-transformer', Plain, body, { validation: { transformOptions: { groups: ['a'] } } }],
  ])('%s', (_title, type, body, rest = {}) => {
    expect(accepts(type, body, rest)).toBe(false);
  });

  test('but not a decorated property that the body does not carry', () => {
    expect([accepts(Decorated, body), accepts(Plain, body)]).toEqual([true, true]);
  });
});

describe('what is accepted', () => {
  test('shares no object with an initialiser of the class', async () => {
    const made = await accept(rulesOf(Initialised), { name: 'b' });
    expect(made).toEqual({ name: 'b', created: new Date(0), theme: SHARED, day: '2020-01-01', kind: 'x' });
    expect(made!['theme']).not.toBe(SHARED);
  });

  test('is an instance of the class where the application transforms', async () => {
    const made = await accept(rulesOf(Plain, { validation: { transform: true } }), { name: 'b', kind: 'x' });
    expect(made).toBeInstanceOf(Plain);
    const inbound = { transformOptions: {}, partial: false, keepExcluded: false };
    expect(made).toStrictEqual(toInstance(Plain, { name: 'b', kind: 'x' }, inbound));
  });

  test('is asked with what class-validator tells its rules', async () => {
    const told: unknown[] = [];

    @v.ValidatorConstraint()
    class Listening {
      validate(...parameters: unknown[]): boolean {
        return told.push(parameters) > 0;
      }
    }

    class Told {
      @v.Validate(Listening, [1, 2]) name!: string;
      @v.ArrayNotEmpty() @v.Validate(Listening, ['each'], { each: true }) list!: string[];
    }

    const instance = plainToInstance(Told, { name: 'b', list: ['x', 'y'] });
    const check = ruleCheck({}, (_type, record) => record);
    const answer = await check({ instance: instance as never, sent: instance, place: rootPlace(rulesOf(Told)) });
    expect(answer).toEqual({ errors: [], ifInserted: [] });
    const byUs = told.splice(0);
    await v.validate(instance);
    expect([byUs, byUs.length]).toEqual([told, 3]);
  });
});

const asked: unknown[] = [];

async function answer(value: unknown): Promise<boolean> {
  asked.push(value);
  await Promise.resolve();
  if (value === 'throws') throw new Error('broken');

  return value === 'right';
}

@v.ValidatorConstraint()
class Silent {
  validate = answer;
}

@v.ValidatorConstraint({ async: true })
class Announced {
  validate = answer;
}

describe('asynchronous rules', () => {
  test.each([Silent, Announced])('are awaited, and run once: %p', async (rule) => {
    class Delayed {
      @v.Validate(rule) name?: string;
    }

    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const validator = makeBodyValidator(rulesOf(Delayed));
    const send = (name: string) => validator({ name }, new Set());
    asked.length = 0;
    expect(await send('right')).toEqual({ value: { name: 'right' }, errors: [], ifInserted: [] });
    expect(await send('wrong')).toMatchObject({ errors: [{ property: 'name' }] });
    await expect(send('throws')).rejects.toMatchObject({ cause: new Error('broken') });
    expect(asked).toEqual(['right', 'wrong', 'throws']);
    expect(error.mock.calls).toEqual([
      [expect.stringContaining('a rule on "name" of Delayed has thrown: broken'), expect.stringContaining('broken')],
    ]);
    error.mockRestore();
  });
});
