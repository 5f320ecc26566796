/** Nested records of a body, without HTTP: what is made of them, and which rules they are asked. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { Exclude, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { CrudValidationGroups } from '@nestwright/crud';
import { findInsertRefusal } from '../../src/plan/refusal.js';
import type { BodyRules } from '../../src/validation/body-rules.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { outcome, rulesOf } from './rules-of.js';

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
const key = column('id', 'integer', { primary: true, autoIncrement: true, generated: true, hasDefault: true });
const [teamId, text, isNew] = [column('teamId', 'integer'), column('text', 'text'), column('isNew', 'boolean')];
const teams = catalog('Team', [key]);
const references = () => [{ column: teamId, references: key }];
const toTeam = relation('team', 'many-to-one', () => teams, { references });
const tags = () => ({ ...catalog('Tag', [key, teamId, isNew], [toTeam]), target: Tag });
const sheets = catalog('Sheet', [key, text]);
const tasks = catalog(
  'Task',
  [key, column('title', 'text')],
  [
    relation('tags', 'many-to-many', tags, both),
    relation('tag', 'many-to-one', tags, both),
    relation('made', 'many-to-one', tags, { cascadeInsert: true }),
    relation('kept', 'many-to-one', tags, { cascadeUpdate: true }),
    relation('linked', 'many-to-one', tags),
    // Of an entity without a class.
    relation('plain', 'many-to-one', () => ({ ...sheets, target: 'Sheet' }), both),
    relation('note', 'many-to-one', () => sheets, both),
    relation('owned', 'many-to-one', () => ({ ...catalog('Owned', [key, teamId], [toTeam]), target: Owned }), both),
    relation('sheet', 'one-to-one', () => ({ ...sheets, target: Label }), both),
  ],
);

const read = (body: object, rules: Partial<BodyRules>) =>
  outcome(rulesOf(Task, rules), body, { values: [], catalog: tasks });

const [insert, update] = [{ mode: 'insert' }, { mode: 'update' }] as const;
const ofModel = { ...update, group: CrudValidationGroups.UPDATE, isModel: true };
const NEW = { name: 'a', teamId: 1 };
const made = { ...NEW, colour: 'red' };
const said = { name: 'a', team: { id: 1 } };
const converting = { ...update, validation: { transformOptions: { enableImplicitConversion: true } } };
const strict = { ...insert, validation: { whitelist: true, forbidNonWhitelisted: true } };
const owned = { team: { id: 1 } };
const OLD = { tags: [{ id: 1, isNew: false }] };
const NAME = 'name must be a string';
const TEXT = 'note.text must be a string';

test.each<[string, Partial<BodyRules>, body: object, read?: object]>([
  ['a new record has what its class initialises', insert, { tag: NEW }, { tag: made }],
  ['a new record in a list has what its class initialises', update, { tags: [NEW] }, { tags: [made] }],
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
])('%s', async (_title, rules, body, expected = body) => {
  expect(await read(body, rules)).toStrictEqual(expected);
});

test.each<[body: { sheet: object }, message: string[] | undefined]>([
  [{ sheet: { pages: 1 } }, ['sheet.text must be a string']],
  [{ sheet: { text: 'a' } }, undefined],
])('of a record that only the database knows, an insert of %j is refused with %j', async (body, message) => {
  const { sheet } = (await read(body, update)) as typeof body;
  const refusal = findInsertRefusal(sheet)?.() as BadRequestException | undefined;
  expect(refusal?.getResponse()).toEqual(message && expect.objectContaining({ message }));
});
