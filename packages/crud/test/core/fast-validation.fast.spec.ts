/** Bodies that are accepted at once, held to what class-transformer and class-validator make of the same body. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger, type Type } from '@nestjs/common';
import { Exclude, Expose, plainToInstance, Transform, Type as TypeOf } from 'class-transformer';
import {
  Allow,
  ArrayNotEmpty,
  IsArray,
  IsDateString,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  registerDecorator,
  Validate,
  validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import fc from 'fast-check';
import { fastValidatorOf } from '../../src/validation/fast-validation.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { bodyValidatorOf } from '../../src/validation/body-validator.js';
import { toInstance, toPlainBody } from '../../src/validation/body-instance.js';
import { copyBody } from '../../src/validation/plain-body.js';

type Body = Record<string, unknown>;

class Base {
  @IsOptional()
  @IsInt()
  @Max(150)
  age?: number;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
}

class Plain extends Base {
  @IsString()
  @MaxLength(5)
  name!: string;

  @IsOptional()
  @IsObject()
  settings?: object;

  @Allow()
  anything?: unknown;

  @ValidateIf(({ name }: Plain) => name === 'a')
  @IsIn(['x', 'y'])
  kind?: string;

  @IsOptional()
  @IsEmail({}, { groups: ['one'] })
  email?: string;

  @IsOptional()
  @Length(1, 3, { always: true })
  always?: string;

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
  @IsString()
  name!: string;
}

class Decorated extends Plain {
  @IsOptional()
  @ValidateNested()
  @TypeOf(() => City)
  city?: City;

  @IsOptional()
  @TypeOf(() => Date)
  born?: Date;

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value])
  wrapped?: unknown;

  @Exclude()
  @IsOptional()
  secret?: unknown;
}

class Nesting {
  @ValidateNested()
  city?: City;
}

const SHARED = { colour: 'red' };

class Initialised extends Plain {
  created = new Date(0);
  theme = SHARED;
  @IsOptional()
  @IsDateString()
  day = '2020-01-01';
  override kind = 'x';
}

const CLASSES = { Plain, Decorated, Initialised } as const;

const rulesOf = (type: Type<unknown>, options: Partial<BodyRules> = {}): BodyRules => ({
  type,
  group: undefined,
  bulk: false,
  wholeBulk: false,
  isModel: false,
  isDto: false,
  resource: 'PlainController',
  mode: 'insert',
  acceptsGeneratedKey: false,
  validation: {},
  ...options,
});

/** What the two libraries make of a body, step by step. */
async function plainly(rules: BodyRules, body: Body, options: object): Promise<Body | undefined> {
  const { transform, transformOptions } = rules.validation || {};
  const instance = toInstance(rules.type, copyBody(body), {
    transformOptions,
    partial: rules.mode === 'update',
    keepExcluded: rules.isModel,
  });
  const errors = await validate(instance, options);

  return errors.length > 0 ? undefined : transform ? instance : (toPlainBody(instance, body) as Body);
}

const word = fc.constantFrom('a', 'bc', 'longer than five', '', 'a@example.com', '2020-02-29', 'x');
const leaf = fc.oneof(word, fc.integer({ min: -5, max: 200 }), fc.boolean(), fc.constant(null), fc.double());
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'name', 'toString', 'then', '__proto__', 'constructor'), leaf, {
    maxKeys: 3,
  }),
);
const names = [
  'age tags name settings anything kind email always unruled city born wrapped secret created theme day',
  'method computed settable toString hasOwnProperty then unknown 0 __proto__ constructor',
].flatMap((line) => line.split(' '));
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
const options = fc.record(
  {
    whitelist: fc.boolean(),
    forbidNonWhitelisted: fc.boolean(),
    skipMissingProperties: fc.boolean(),
    skipNullProperties: fc.boolean(),
    skipUndefinedProperties: fc.boolean(),
    stopAtFirstError: fc.boolean(),
    strictGroups: fc.boolean(),
    always: fc.boolean(),
    forbidUnknownValues: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('any body of any class, with any options', () => {
  const given = fc.record({
    type: fc.constantFrom(...Object.values(CLASSES)),
    body: bodies,
    options,
    transform: fc.boolean(),
    mode: fc.constantFrom('insert' as const, 'update' as const),
  });

  test('is accepted with the value that class-transformer and class-validator make of it', async () => {
    const accepted = { yes: 0, no: 0 };

    await fc.assert(
      fc.asyncProperty(given, async ({ type, body, options, transform, mode }) => {
        const rules = rulesOf(type, { mode, validation: { ...options, transform } });
        const validatorOptions = { forbidUnknownValues: false, ...options };
        const made = fastValidatorOf(rules, validatorOptions)(copyBody(body));
        accepted[made ? 'yes' : 'no'] += 1;
        if (!made) return;

        const expected = await plainly(rules, body, validatorOptions);
        expect(expected).toBeDefined();
        expect(made).toStrictEqual(expected);
        expect(Object.keys(made)).toEqual(Object.keys(expected!));
      }),
      { numRuns: 3000 },
    );

    // Both ways are met often.
    expect(accepted.yes).toBeGreaterThan(300);
    expect(accepted.no).toBeGreaterThan(300);
  });

  test('a plain, valid body is accepted', () => {
    const accept = fastValidatorOf(rulesOf(Plain), { forbidUnknownValues: false });

    fc.assert(
      fc.property(right, (body) => {
        fc.pre(!JSON.stringify(body).match(/toString|"then"|__proto__|constructor/));

        return accept(copyBody(body)) !== undefined;
      }),
    );
  });
});

describe('bodies that need class-transformer or class-validator go through them', () => {
  const accepts = (type: Type<unknown>, body: Body, options: object = { forbidUnknownValues: false }, rest = {}) =>
    fastValidatorOf(rulesOf(type, rest), options)(body) !== undefined;

  class Exposed {
    @Expose()
    @IsOptional()
    name?: string;
  }

  @Exclude()
  class Hidden {
    @IsOptional()
    name?: string;
  }

  class Unruled {
    name?: string;
  }

  test.each([
    ['exposed properties', Exposed, { name: 'a' }],
    ['classes that exclude all', Hidden, { name: 'a' }],
    ['no class', Object, { name: 'a' }],
    ['a typed property', Decorated, { name: 'b', kind: 'x', born: '2020-01-01' }],
    ['a transformed property', Decorated, { name: 'b', kind: 'x', wrapped: 1 }],
    ['an excluded property', Decorated, { name: 'b', kind: 'x', secret: 1 }],
    ['a method', Plain, { name: 'b', kind: 'x', method: 1 }],
    ['an accessor', Plain, { name: 'b', kind: 'x', computed: 1 }],
    ['a date', Plain, { name: 'b', kind: 'x', anything: new Date() }],
    ['a buffer', Plain, { name: 'b', kind: 'x', anything: Buffer.from('a') }],
    ['a name of a method deep inside', Plain, { name: 'b', kind: 'x', anything: [{ valueOf: 1 }] }],
  ])('%s', (_title, type, body) => {
    expect(accepts(type, body)).toBe(false);
  });

  test('a decorated property that the body does not carry does not matter', () => {
    expect(accepts(Decorated, { name: 'b', kind: 'x' })).toBe(true);
  });

  test('a class without rules where unknown values are forbidden', () => {
    expect(accepts(Unruled, { name: 'a' }, {})).toBe(false);
    expect(accepts(Unruled, { name: 'a' })).toBe(true);
  });

  test('options of class-transformer', () => {
    const body = { name: 'b', kind: 'x' };
    const transformOptions = { enableImplicitConversion: true };

    expect(accepts(Plain, body)).toBe(true);
    expect(accepts(Plain, body, { forbidUnknownValues: false }, { validation: { transformOptions } })).toBe(false);
  });

  test('rules that throw', () => {
    class Throwing {
      @ValidateIf(() => {
        throw new URIError('malformed');
      })
      @IsString()
      name?: string;
    }

    expect(accepts(Throwing, { name: 'a' })).toBe(false);
  });

  test('a constructor that throws, or that makes something else', () => {
    class Failing {
      constructor() {
        throw new Error('never made');
      }
    }
    class Other {
      constructor() {
        return new Unruled();
      }
    }

    expect(accepts(Failing, {})).toBe(false);
    expect(accepts(Other, {})).toBe(false);
  });
});

test('a log of level debug says once why a body goes through the libraries', () => {
  const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
  const accept = fastValidatorOf(rulesOf(Decorated), { forbidUnknownValues: false });
  const bodies = [{ born: '2020-01-01' }, { born: '2021-01-01' }, { method: 1 }, { name: 'b', kind: 'x' }, { name: 1 }];

  bodies.forEach((body) => accept(body));
  fastValidatorOf(rulesOf(Nesting), {})({ city: { name: 'a' } });
  fastValidatorOf(rulesOf(Plain, { validation: { transformOptions: { groups: ['one'] } } }), {});

  expect(debug.mock.calls.map(([text]) => text as string)).toEqual([
    'Decorated: bodies go through class-transformer and class-validator because of a decorator of class-transformer on born',
    'Decorated: bodies go through class-transformer and class-validator because of a property in the place of a method or an accessor',
    'Nesting: bodies go through class-transformer and class-validator because of the nested rules of city',
    'Plain: bodies go through class-transformer and class-validator because of transformOptions',
  ]);
  debug.mockRestore();
});

describe('asynchronous rules', () => {
  const asked: unknown[] = [];

  function Later() {
    return (target: object, propertyName: string) => {
      registerDecorator({
        target: target.constructor,
        propertyName,
        validator: {
          async validate(value: unknown) {
            asked.push(value);
            await Promise.resolve();
            if (value === 'throws') throw new Error('broken');

            return value === 'right';
          },
        },
      });
    };
  }

  class Delayed {
    @Later()
    name?: string;
  }

  @ValidatorConstraint({ async: true })
  class Announced {
    validate(value: unknown): Promise<boolean> {
      asked.push(value);

      return Promise.resolve(value === 'right');
    }
  }

  class Declared {
    @Validate(Announced)
    name?: string;
  }

  test('are awaited; from the second body on, they run once', async () => {
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const validator = bodyValidatorOf(rulesOf(Delayed));

    await expect(validator({ name: 'right' }, new Set())).resolves.toEqual({ value: { name: 'right' }, errors: [] });
    asked.length = 0;
    await expect(validator({ name: 'wrong' }, new Set())).resolves.toMatchObject({ errors: [{ property: 'name' }] });
    await expect(validator({ name: 'throws' }, new Set())).rejects.toMatchObject({ cause: new Error('broken') });
    expect(asked).toEqual(['wrong', 'throws']);
    expect(debug.mock.calls).toEqual([[expect.stringContaining('Delayed: ')]]);
    expect(error.mock.calls).toEqual([
      [expect.stringContaining('a rule on "name" of Delayed has thrown: broken'), expect.stringContaining('broken')],
    ]);
    debug.mockRestore();
    error.mockRestore();
  });

  test('declared asynchronous rules run once', async () => {
    asked.length = 0;
    const validator = bodyValidatorOf(rulesOf(Declared));

    await expect(validator({ name: 'right' }, new Set())).resolves.toEqual({ value: { name: 'right' }, errors: [] });
    expect(asked).toEqual(['right']);
  });
});

describe('what is accepted', () => {
  test('shares no object with an initialiser of the class', () => {
    const accept = fastValidatorOf(rulesOf(Initialised), { forbidUnknownValues: false });
    const made = accept({ name: 'b' });

    expect(made).toEqual({ name: 'b', created: new Date(0), theme: SHARED, day: '2020-01-01', kind: 'x' });
    expect(made!['theme']).not.toBe(SHARED);
  });

  test('is an instance of the class where the application transforms', () => {
    const accept = fastValidatorOf(rulesOf(Plain, { validation: { transform: true } }), {});
    const made = accept({ name: 'b', kind: 'x' });

    expect(made).toStrictEqual(
      toInstance(Plain, { name: 'b', kind: 'x' }, { transformOptions: {}, partial: false, keepExcluded: false }),
    );
    expect(plainToInstance(Plain, { name: 'b' })).toBeInstanceOf(made!.constructor);
  });

  test('is asked with what class-validator tells its rules', async () => {
    const told: unknown[] = [];

    @ValidatorConstraint()
    class Listening {
      validate(...parameters: unknown[]): boolean {
        told.push(parameters);

        return true;
      }
    }
    class Told {
      @Validate(Listening, [1, 2])
      name!: string;

      @ArrayNotEmpty()
      @Validate(Listening, ['each'], { each: true })
      list!: string[];
    }
    const body = { name: 'b', list: ['x', 'y'] };
    const accept = fastValidatorOf(rulesOf(Told), {});

    expect(accept(copyBody(body))).toEqual(body);
    const byUs = told.splice(0);
    await validate(plainToInstance(Told, body));
    expect(byUs).toEqual(told);
    expect(byUs).toHaveLength(3);
  });
});
