/** Objects and options drawn at random: rules are asked, and their errors told, as class-validator itself does. */
import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import * as v from 'class-validator';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import type { RuleOptions } from '../../src/validation/applicable-rules.js';
import { rootPlace } from '../../src/validation/settable-properties.js';
import { ruleCheck } from '../../src/validation/rule-check.js';

/** What rules that answer later have been asked. */
const asked: unknown[] = [];

const IsSoon = (wanted: string) => (target: object, propertyName: string) =>
  v.registerDecorator({
    name: 'isSoon',
    target: target.constructor,
    propertyName,
    options: {},
    constraints: [wanted],
    validator: {
      validate: async (value: unknown, { object, ...details }: v.ValidationArguments) => {
        asked.push({ ...details, of: object.constructor.name });
        return value === wanted;
      },
      defaultMessage: () => 'not soon',
    },
  });

class Inner {
  @v.IsInt() @v.Min(1, { message: ({ value, property }) => `${property}: ${String(value)}` }) n: unknown;
  @v.IsOptional()
  @v.Length(2, 3, { message: '$property: $constraint1 to $constraint2, $target, $value' })
  text: unknown;
  @v.ValidateNested() deeper: unknown;
}

class Outer {
  @v.IsDefined({ context: { code: 7 } }) @v.IsString({ context: { code: 1 } }) name: unknown;
  @v.IsOptional() @v.IsEmail({}, { groups: ['one'] }) email: unknown;
  @v.Length(1, 3, { always: true }) always: unknown;
  @v.ValidateIf((object: Outer) => object.name === 'a') @v.IsInt() @v.Max(3) conditional: unknown;
  @v.IsArray()
  @v.ArrayMinSize(1)
  @v.ArrayUnique()
  @v.IsIn(['x', 'y'], { each: true, context: { code: 2 } })
  list: unknown;
  @v.ValidateNested({ message: 'bad inner: $constraint1' }) @v.IsDefined() inner: unknown;
  @v.ValidateNested({ each: true }) inners: unknown;
  @IsSoon('now') @v.IsString() soon: unknown;
  @IsSoon('now') @v.IsOptional() later: unknown;
}

class Unruled {
  anything: unknown;
}

/** How a value is made; made anew for each of the two, which may change what they are given. */
type Make = () => unknown;

const constant = (...values: unknown[]): fc.Arbitrary<Make> => fc.constantFrom(...values.map((value) => () => value));
const scalar = constant(undefined, null, '', 'a', 'abcd', 'now', 'x', 'me@x.org', 0, 1, 5, 1.5, true);

const objectOf = (type: new () => object, properties: Record<string, fc.Arbitrary<Make>>): fc.Arbitrary<Make> =>
  fc.record(properties, { requiredKeys: [] }).map((makes) => () => {
    const values = Object.entries(makes).map(([name, make]) => [name, make?.()]);
    return Object.assign(new type(), Object.fromEntries(values)) as object;
  });

const collectionOf = (item: fc.Arbitrary<Make>): fc.Arbitrary<Make> =>
  fc
    .tuple(fc.array(item, { maxLength: 3 }), fc.constantFrom('array' as const, 'set' as const, 'map' as const))
    .map(([makes, kind]) => () => {
      const items = makes.map((make) => make());
      const entries = items.map((each, index) => [`k${index}`, each] as const);
      return { array: items, set: new Set(items), map: new Map(entries) }[kind];
    });

const unruled = objectOf(Unruled, { anything: scalar });
const deepest = objectOf(Inner, { n: scalar, text: scalar });
const inner = objectOf(Inner, { n: scalar, text: scalar, deeper: fc.oneof(scalar, deepest, unruled), extra: scalar });
const nested = fc.oneof(inner, inner, scalar, collectionOf(fc.oneof(inner, scalar)), unruled);
const scalars = ['name', 'always', 'email', 'conditional', 'soon', 'later', 'extra'].map((name) => [name, scalar]);
const list = fc.oneof(collectionOf(scalar), scalar);
const outer = objectOf(Outer, { ...Object.fromEntries(scalars), list, inner: nested, inners: nested });

const flag = fc.constantFrom(undefined, true, false);
const flags = [
  ...['whitelist', 'forbidNonWhitelisted', 'forbidUnknownValues', 'skipUndefinedProperties', 'skipNullProperties'],
  ...['skipMissingProperties', 'stopAtFirstError', 'dismissDefaultMessages', 'strictGroups', 'always'],
];

const validationError = fc.record({ target: flag, value: flag });
const options = fc.record({ ...Object.fromEntries(flags.map((name) => [name, flag])), validationError });

const place = rootPlace({ mode: 'insert', group: undefined, acceptsGeneratedKey: false } as never);

/** Errors as data; class-validator leaves out the context of a rule without a message, unless it answers later. */
function told(errors: readonly v.ValidationError[], { dismissDefaultMessages }: RuleOptions): unknown[] {
  return errors.map(({ property, constraints, contexts, children, target, value }) => ({
    property,
    constraints,
    contexts: dismissDefaultMessages ? undefined : contexts,
    children: told(children ?? [], { dismissDefaultMessages: dismissDefaultMessages ?? false }),
    target: target?.constructor.name,
    value: value as unknown,
  }));
}

test('are those of class-validator', async () => {
  let refused = 0;
  const compare = fc.asyncProperty(outer, options, async (make, given) => {
    const [ours, theirs] = [make() as Outer, make() as Outer];
    const check = ruleCheck(given, (_type, record) => record);
    const { errors } = await check({ instance: ours as never, sent: ours, place });
    const byUs = asked.splice(0);
    refused += errors.length > 0 ? 1 : 0;
    expect(told(errors, given)).toEqual(told(await v.validate(theirs, given as never), given));
    expect(byUs).toEqual(asked.splice(0));
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
  });
  await fc.assert(compare, { numRuns: sampleCount(2_000) });
  expect(refused).toBeGreaterThan(sampleCount(500));
});
