/** Which rules a body and its nested records are asked, and what is made of these. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MinLength, ValidateIf, ValidateNested } from 'class-validator';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { findInsertRefusal } from '../../src/plan/refusal.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { CREATE, CREATED_AT, KEY, Named, outcome, rulesOf, rulesOfRoute, STRICT, UPDATE, VERSION } from './rules-of.js';

class Address extends Named {
  @IsString() madeAt!: string;
}

class Model {
  @Expose({ name: 'full_name' }) @IsString() name?: string;
  @Transform(({ value }: { value: unknown }) => value || undefined) @IsString() note?: string;
  // A condition without a group does not release rules of a group.
  @IsOptional() @IsInt() @Max(3, { groups: [UPDATE] }) count?: unknown;
  // A condition of a group releases all.
  @IsOptional({ groups: [UPDATE] }) @IsString() optional?: string | null;
  @ValidateIf(({ name }: Model) => name === 'long', { always: true }) @MinLength(2) short?: string;
  // No body can set it.
  @IsString() createdAt?: string;
  @IsInt() version?: number;
  // An embedded object, whose parts may be missing in a change, and a JSON value, whose may not.
  @ValidateNested() @Type(() => Address) address?: Address;
  @ValidateNested() @Type(() => Named) settings?: Named;
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
  ['insert', { count: 4 }, undefined],
  ['insert', { optional: null }, ['optional must be a string']],
  ['insert', { short: '' }, undefined],
  ['insert', { full_name: 'long', short: '' }, [SHORT]],
  ['insert', { createdAt: 5, version: 'x' }, undefined],
  ['insert', { address: {} }, ['address.name must be a string']],
  ['insert', { settings: {} }, ['settings.name must be a string']],
  ['update', {}, undefined],
  ['update', { count: undefined }, [TOO_LARGE]],
  ['update', { count: null }, [TOO_LARGE]],
  ['update', { count: 4 }, [TOO_LARGE]],
  ['update', { count: 2.5 }, ['count must be an integer number']],
  ['update', { full_name: 5 }, ['name must be a string']],
  ['update', { note: '' }, ['note must be a string']],
  ['update', { optional: null }, undefined],
  ['update', { optional: 5 }, ['optional must be a string']],
  ['update', { createdAt: 5 }, undefined],
  ['update', { version: 'x' }, ['version must be an integer number']],
  ['update', { address: {} }, undefined],
  ['update', { address: { name: 5 } }, ['address.name must be a string']],
  ['update', { settings: {} }, ['settings.name must be a string']],
])('an %s of a model with %j is refused with %j', async (mode, more, refused) => {
  const rules = rulesOf(Model, { isModel: true, mode, group: groups[mode] });
  const read = await outcome(rules, { ...sent[mode], ...more }, { values: [], catalog: models });
  expect(Array.isArray(read) ? read : undefined).toEqual(refused);
});

test.each<[validation: object, asked: string[]]>([
  [{}, ['always', 'free', 'one', 'two']],
  [{ groups: ['one'] }, ['always', 'free', 'one']],
  [{ groups: ['one', 'two'] }, ['always', 'free', 'one', 'two']],
  [{ strictGroups: true }, ['always', 'free']],
  [{ skipUndefinedProperties: true }, ['free', 'two']],
  [{ skipNullProperties: true }, ['always', 'one', 'two']],
  [{ skipMissingProperties: true }, ['two']],
])('with %j a class is asked the rules %j', async (validation, asked) => {
  class Grouped {
    @IsString({ groups: ['one'] }) one!: string;
    @IsString({ groups: ['two'] }) two!: string;
    @IsString({ always: true }) always!: string;
    @IsString() free!: string;
  }

  const refused = (await outcome(rulesOf(Grouped, { validation }), { free: null, two: 5 })) as string[];
  expect(refused.toSorted()).toEqual(asked.map((name) => `${name} must be a string`));
});

test.each<[validationError: object, shown: object]>([
  [{}, { value: 5 }],
  [{ target: true, value: false }, { target: { name: 5 } }],
])('with validationError %j, errors carry %j', async (validationError, shown) => {
  const validate = makeBodyValidator(rulesOf(Named, { validation: { validationError } }));
  const constraints = { isString: 'name must be a string' };
  const error = { property: 'name', constraints, children: [], ...shown };
  expect((await validate({ name: 5 }, new Set())).errors).toEqual([error]);
});

test.each<[allowGeneratedKey: boolean, isCounted: boolean, body: object, expected: unknown]>([
  [true, true, { id: 'x' }, ['id must be an integer number']],
  [true, true, {}, {}],
  [false, true, { id: 'x' }, { id: 'x' }],
  [false, false, { id: 'x' }, ['id must be an integer number']],
  [false, false, {}, {}],
])('where allowGeneratedKey is %p, of a key that is counted: %p, a new record %j gives %j', async (...row) => {
  class Counted {
    @IsInt({ always: true }) id!: number;
  }

  const [allowGeneratedKey, autoIncrement, body, expected] = row;
  const options = { ...bareDefinition().options, routes: { createOneBase: { allowGeneratedKey } } };
  const id = column('id', 'integer', { primary: true, autoIncrement, generated: true });
  const rules = rulesOfRoute('createOneBase', { model: Counted, options });
  expect(await outcome(rules, body, { values: [], catalog: catalog('Counted', [id]) })).toEqual(expected);
});

class Tag {
  @IsString() name!: string;
  @IsInt() teamId!: number;
  @Exclude() secret?: string;
  @IsOptional() @IsBoolean() isNew?: boolean;
  colour = 'red';
}

class Label {
  @IsString() text!: string;
}

class Sheet extends Label {
  @IsString({ groups: [UPDATE] }) changed?: string;
}

class Owned {
  @IsOptional() team?: unknown;
}

/** Describes the records of two relations alone. */
class Task {
  title?: string;
  @IsOptional() @Type(() => Owned) owned?: Owned;
  @IsOptional() @Type(() => Label) note?: Label;
}

const both = { cascadeInsert: true, cascadeUpdate: true };
const [teamId, text, isNew] = [column('teamId', 'integer'), column('text', 'text'), column('isNew', 'boolean')];
const teams = catalog('Team', [KEY]);
const references = () => [{ column: teamId, references: KEY }];
const toTeam = relation('team', 'many-to-one', () => teams, { references });
const tags = () => ({ ...catalog('Tag', [KEY, teamId, isNew], [toTeam]), target: Tag });
const sheets = catalog('Sheet', [KEY, text]);
const tasks = catalog(
  'Task',
  [KEY, column('title', 'text')],
  [
    relation('tags', 'many-to-many', tags, both),
    relation('tag', 'many-to-one', tags, both),
    relation('made', 'many-to-one', tags, { cascadeInsert: true }),
    relation('kept', 'many-to-one', tags, { cascadeUpdate: true }),
    relation('linked', 'many-to-one', tags),
    // Of an entity without a class.
    relation('plain', 'many-to-one', () => ({ ...sheets, target: 'Sheet' }), both),
    relation('note', 'many-to-one', () => sheets, both),
    relation('owned', 'many-to-one', () => ({ ...catalog('Owned', [KEY, teamId], [toTeam]), target: Owned }), both),
    ...(['one-to-one', 'one-to-one-inverse'] as const).map((kind) =>
      relation(kind, kind, () => ({ ...sheets, target: Sheet }), both),
    ),
  ],
);

const scope = { values: [], catalog: tasks };
const read = (body: object, rules: Partial<BodyRules>) => outcome(rulesOf(Task, rules), body, scope);

const [insert, update] = [{ mode: 'insert' }, { mode: 'update' }] as const;
const ofModel = { ...update, group: UPDATE, isModel: true };
const TAG = { name: 'a', teamId: 1 };
const made = { ...TAG, colour: 'red' };
const said = { name: 'a', team: { id: 1 } };
const converting = { ...update, validation: { transformOptions: { enableImplicitConversion: true } } };
const strict = { ...insert, validation: STRICT };
const owned = { team: { id: 1 } };
const OLD = { tags: [{ id: 1, isNew: false }] };
const NAME = 'name must be a string';
const TEXT = 'note.text must be a string';

test.each<[string, Partial<BodyRules>, body: object, read?: object]>([
  ['a new record has what its class initialises', insert, { tag: TAG }, { tag: made }],
  ['a new record in a list has what its class initialises', update, { tags: [TAG] }, { tags: [made] }],
  ['a record that exists has only what was sent', update, { tags: [{ id: 1, name: 'b' }] }],
  ['a record keeps what its class hides from answers', update, { tag: { id: 1, secret: 's' } }],
  ['a record of an entity without a class is as it was sent', insert, { plain: { text: 5, more: 1 } }],
  ['a new record is asked all rules', update, { tag: { teamId: 1 } }, [`tag.${NAME}`]],
  ['a relation may tell the foreign key of a new record', insert, { tag: said }, { tag: { ...made, ...said } }],
  ['a strict whitelist takes a relation whose foreign key has no rule', strict, { owned }],
  ['a record with the key 0 is a new one', update, { tag: { id: 0, teamId: 1 } }, [`tag.${NAME}`]],
  ['a column reads what would be converted', converting, { tags: [{ id: 1, isNew: 'false' }] }, OLD],
  ['a record that exists is asked about what it carries', update, { tags: [{ id: 1, name: 5 }] }, [`tags.0.${NAME}`]],
  ['POST only links a record that exists, and asks no rule', insert, { tag: { id: 1, name: 5 } }],
  ['a cascade of inserts only links a record that exists', update, { made: { id: 1, name: 5 } }],
  ['a cascade of updates does not ask a new record', update, { kept: { name: 5, colour: '' } }],
  ['a relation without a cascade asks no rule', insert, { linked: { name: 5 } }],
  ['a class that a DTO names is asked all its rules', update, { note: { id: 1 } }, [TEXT]],
  ['a class that a model names is asked about what an existing record carries', ofModel, { note: { id: 1 } }],
  ['a class that a model names is asked all rules of a new record', ofModel, { note: {} }, [TEXT]],
])('%s', async (_title, rules, body, expected = body) => expect(await read(body, rules)).toStrictEqual(expected));

test.each<[relation: string, record: object, message: string[] | undefined]>([
  ['one-to-one', { pages: 1 }, ['one-to-one.text must be a string']],
  ['one-to-one-inverse', { pages: 1 }, ['one-to-one-inverse.text must be a string']],
  ['one-to-one', { text: 'a' }, undefined],
])('of a %s record that only the database knows, an insert of %j is refused with %j', async (path, record, message) => {
  const body = (await read({ [path]: record }, update)) as Record<string, object>;
  const refusal = findInsertRefusal(body[path]!)?.() as BadRequestException | undefined;
  expect(refusal?.getResponse()).toEqual(message && expect.objectContaining({ message }));
});
