/** Which rules a body and its nested records are asked, and what is made of these; of objects and options drawn at random, rules are asked, and their errors told, as class-validator itself does. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as v from 'class-validator';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { bodyScope } from '../../src/plan/body-scope.js';
import { findInsertRefusal } from '../../src/plan/refusal.js';
import type { RuleOptions } from '../../src/validation/applicable-rules.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { ruleCheck } from '../../src/validation/rule-check.js';
import { rootPlace } from '../../src/validation/settable-properties.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { CREATE, CREATED_AT, KEY, Named, outcome, rulesOf, rulesOfRoute, STRICT, UPDATE, VERSION } from './rules-of.js';

class Address extends Named {
  @v.IsString() madeAt!: string;
}

class Model {
  @Expose({ name: 'full_name' }) @v.IsString() name?: string;
  @Transform(({ value }: { value: unknown }) => value || undefined) @v.IsString() note?: string;
  // A condition without a group does not release rules of a group.
  @v.IsOptional() @v.IsInt() @v.Max(3, { groups: [UPDATE] }) count?: unknown;
  // A condition of a group releases all.
  @v.IsOptional({ groups: [UPDATE] }) @v.IsString() optional?: string | null;
  @v.ValidateIf(({ name }: Model) => name === 'long', { always: true }) @v.MinLength(2) short?: string;
  // No body can set it.
  @v.IsString() createdAt?: string;
  @v.IsInt() version?: number;
  // An embedded object, whose parts may be missing in a change, and a JSON value, whose may not.
  @v.ValidateNested() @Type(() => Address) address?: Address;
  @v.ValidateNested() @Type(() => Named) settings?: Named;
}

const madeAt = column('address.madeAt', 'datetime', { source: 'createDate' });
const [name, settings] = [column('address.name', 'text'), column('settings', 'json')];
const models = catalog('Model', [name, madeAt, settings, CREATED_AT, VERSION]);
const NEW = { full_name: 'a', note: 'a', optional: 'a', address: { name: 'a' }, settings: { name: 'a' } };
const sent = { insert: NEW, update: { count: 1 } };
const groups = { insert: CREATE, update: UPDATE };
const TOO_LARGE = 'count must not be greater than 3';
const SHORT = 'short must be longer than or equal to 2 characters';

test.each<[mode: 'insert' | 'update', more: object, refused: string[] | undefined]>([
  ['insert', {}, undefined],
  ['insert', { full_name: undefined }, ['name must be a string']],
  ['insert', { optional: null }, ['optional must be a string']],
  ['insert', { full_name: 'long', short: '' }, [SHORT]],
  ['insert', { createdAt: 5, version: 'x' }, undefined],
  ['insert', { address: {} }, ['address.name must be a string']],
  ['insert', { settings: {} }, ['settings.name must be a string']],
  ['update', {}, undefined],
  ['update', { count: null }, [TOO_LARGE]],
  ['update', { note: '' }, ['note must be a string']],
  ['update', { optional: null }, undefined],
  ['update', { createdAt: 5 }, undefined],
  ['update', { version: 'x' }, ['version must be an integer number']],
  ['update', { address: {} }, undefined],
  ['update', { address: { name: 5 } }, ['address.name must be a string']],
])('an %s of a model with %j is refused with %j', async (mode, more, refused) => {
  const rules = rulesOf(Model, { isModel: true, mode, group: groups[mode] });
  const read = await outcome(rules, { ...sent[mode], ...more }, { values: [], catalog: models });
  expect(Array.isArray(read) ? read : undefined).toEqual(refused);
});

test.each([
  [undefined, 'always free one two'],
  ['one', 'always free one'],
  ['one two', 'always free one two'],
])('in the groups %j a class is asked the rules %j', async (groups, asked) => {
  class Base {
    @v.IsInt({ always: true }) one!: unknown;
  }
  class Grouped extends Base {
    @v.IsString({ groups: ['one'] }) override one!: unknown;
    @v.IsString({ groups: ['two'] }) two!: string;
    @v.IsString({ always: true }) always!: string;
    @v.IsString() free!: string;
  }

  const refused = (await outcome(rulesOf(Grouped, { validation: { groups: groups?.split(' ') } }), {})) as string[];
  expect(refused.toSorted()).toEqual(asked.split(' ').map((name) => `${name} must be a string`));
});

test.each<[allowGeneratedKey: boolean, isCounted: boolean, body: object, expected: unknown]>([
  [true, true, { id: 'x' }, ['id must be an integer number']],
  [false, true, { id: 'x' }, { id: 'x' }],
  [false, false, { id: 'x' }, ['id must be an integer number']],
])('where allowGeneratedKey is %p, of a key that is counted: %p, a new record %j gives %j', async (...row) => {
  class Counted {
    @v.IsInt({ always: true }) id!: number;
  }

  const [allowGeneratedKey, autoIncrement, body, expected] = row;
  const options = { ...bareDefinition().options, routes: { createOneBase: { allowGeneratedKey } } };
  const id = column('id', 'integer', { primary: true, autoIncrement, generated: true });
  const rules = rulesOfRoute('createOneBase', { model: Counted, options });
  expect(await outcome(rules, body, { values: [], catalog: catalog('Counted', [id]) })).toEqual(expected);
});

class Tag {
  @v.IsString() name!: string;
  @v.IsInt() teamId!: number;
  @Exclude() secret?: string;
  @v.IsOptional() @v.IsBoolean() isNew?: boolean;
  colour = 'red';
}

class Label {
  @v.IsString() text!: string;
}

class Sheet extends Label {
  @v.IsString({ groups: [UPDATE] }) changed?: string;
}

class Owned {
  @v.IsOptional() team?: unknown;
}

/** Describes the records of some relations alone. */
class Task {
  title?: string;
  @v.IsOptional() @Type(() => Owned) owned?: Owned;
  @v.IsOptional() @Type(() => Label) note?: Label;
  @v.IsOptional() plain?: object;
}

const both = { cascadeInsert: true, cascadeUpdate: true };
const [teamId, text, isNew] = [column('teamId', 'integer'), column('text', 'text'), column('isNew', 'boolean')];
const [region, teams] = [column('region', 'text', { primary: true }), catalog('Team', [KEY])];
const references = () => [{ column: teamId, references: KEY }];
const toTeam = relation('team', 'many-to-one', () => teams, { references });
const tags = () => ({ ...catalog('Tag', [KEY, teamId, isNew], [toTeam]), target: Tag });
const sheets = catalog('Sheet', [KEY, text]);
const tasks = catalog(
  'Task',
  [KEY, column('title', 'text')],
  [
    ...[relation('tags', 'many-to-many', tags, both), relation('tag', 'many-to-one', tags, both)],
    relation('made', 'many-to-one', tags, { cascadeInsert: true }),
    // Of an entity without a class.
    relation('plain', 'many-to-one', () => ({ ...sheets, target: 'Sheet' }), both),
    relation('note', 'many-to-one', () => sheets, both),
    relation('held', 'many-to-one', () => ({ ...catalog('Held', [KEY, teamId], [toTeam]), target: Owned }), both),
    relation('half', 'many-to-one', () => ({ ...catalog('Half', [KEY, region]), target: Tag }), both),
    relation('owned', 'many-to-one', () => ({ ...catalog('Owned', [KEY, teamId], [toTeam]), target: Owned }), both),
    relation('one-to-one', 'one-to-one', () => ({ ...sheets, target: Sheet }), both),
    relation('inverse', 'one-to-one-inverse', () => ({ ...sheets, target: Sheet }), both),
  ],
);

const scope = bodyScope({ path: [], related: { held: { 'team.id': 7 } } }, tasks);
const read = (body: object, rules: Partial<BodyRules>) => outcome(rulesOf(Task, rules), body, scope);

const [insert, update] = [{ mode: 'insert' }, { mode: 'update' }] as const;
const ofModel = { ...update, group: UPDATE, isModel: true };
const TAG = { name: 'a', teamId: 1 };
const made = { ...TAG, colour: 'red' };
const said = { name: 'a', team: { id: 1 } };
const converting = { ...update, validation: { transformOptions: { enableImplicitConversion: true } } };
const strict = { ...insert, validation: STRICT };
const theirs = (id: number) => ({ team: { id, name: 'x' }, teamId: id });
const OLD = { tags: [{ id: 1, isNew: false }] };
const NAME = 'name must be a string';
const HALF = [`half.${NAME}`, 'half.teamId must be an integer number'];
const UNKNOWN = ['property tag', 'tag.colour', 'tag.team'].map((name) => `${name} should not exist`);

test.each<[string, Partial<BodyRules>, body: object, read?: object]>([
  ['a new record has what its class initialises', insert, { tag: TAG }, { tag: made }],
  ['a record that exists has only what was sent', update, { tags: [5, { id: 1, name: 'b' }] }],
  ['a record keeps what its class hides from answers', update, { tag: { id: 1, secret: 's' } }],
  ['a record of an entity without a class is as it was sent', strict, { plain: { text: 5, more: 1 } }],
  ['a new record is asked all rules', update, { tag: { teamId: 1 } }, [`tag.${NAME}`]],
  ['a relation may tell the foreign key of a new record', insert, { tag: said }, { tag: { ...made, ...said } }],
  ['a strict whitelist takes a relation whose foreign key has no rule', strict, { owned: { team: { id: 1 } } }],
  ['a relation tells a foreign key to a strict whitelist, which refuses the rest', strict, { tag: said }, UNKNOWN],
  ['a record with the key 0 is a new one', update, { tag: { id: 0, teamId: 1 } }, [`tag.${NAME}`]],
  ['a column reads what would be converted', converting, { tags: [{ id: 1, isNew: 'false' }] }, OLD],
  ['a record that exists is asked about what it carries', update, { tags: [{ id: 1, name: 5 }] }, [`tags.0.${NAME}`]],
  ['POST only links a record that exists, and asks no rule', insert, { tag: { id: 1, name: 5 } }],
  ['a cascade of inserts only links a record that exists', update, { made: { id: 1, name: 5 } }],
  ['a class that a DTO names is asked all its rules', update, { note: { id: 1 } }, ['note.text must be a string']],
  ['of a model, a stored record is asked about what it carries', ofModel, { note: { id: 1 }, 'one-to-one': { id: 1 } }],
  ['a foreign key of a relation that is null is asked its rules, and not kept', insert, { owned: { team: null } }],
  ['a nested record is still validated where `persist` sets its key', insert, { held: theirs(3) }, { held: theirs(7) }],
  ['a record without a key may be the only one that is linked', update, { inverse: { pages: 1 } }],
  ['a record with 0 for a part of its key is new', update, { half: { id: 0, region: 'x' } }, HALF],
  ['a record that lacks a part of its key is new', update, { half: { id: 1, teamId: 1 } }, [`half.${NAME}`]],
])('%s', async (_title, rules, body, expected = body) => expect(await read(body, rules)).toStrictEqual(expected));

test.each<[record: object, message: string[] | undefined]>([
  [{ pages: 1 }, ['one-to-one.text must be a string']],
  [{ text: 'a' }, undefined],
])('of a record that only the database knows, an insert of %j is refused with %j', async (record, message) => {
  const body = (await read({ 'one-to-one': record }, update)) as Record<string, object>;
  const refusal = findInsertRefusal(body['one-to-one']!)?.() as BadRequestException | undefined;
  expect(refusal?.getResponse()).toEqual(message && expect.objectContaining({ message }));
});

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
  @v.IsString() @IsSoon('now') @v.IsOptional() later: unknown;
  @v.ValidateBy({ name: 'truthy', validator: { validate: (value) => value as boolean } }) truthy: unknown;
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
const scalars = 'name always email conditional soon later truthy extra'.split(' ').map((name) => [name, scalar]);
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

test('rules are asked, and errors told, as by class-validator', async () => {
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
