/** A model in the bodies of one record, of many and of a condition → their schemas in full, in a valid document. */
import { expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsInt, IsOptional, Length } from 'class-validator';
import type { Catalog } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, id, resource, type ResourceOptions } from './fixture.js';
import { INTEGER, list, ref, schemas, shapeOf, TEXT } from './reading.js';

const CREATE = { groups: ['CRUD-CREATE'] };

class Place {
  @Length(2, 5) city!: string;
  zip!: string;
}

class Author {
  @Length(1, 9, CREATE) name!: string;
}

class Note {
  @Length(2, 5) text!: string;
  @IsOptional(CREATE) @IsInt(CREATE) rank!: number;
  place!: Partial<Place>;
  @ApiProperty({ readOnly: true }) version!: number;
  @Length(1) captcha!: string;
  @IsDefined() team!: object;
  @IsDefined() pair!: object;
  @IsDefined() labels!: object;
}

const references =
  (...paths: string[]) =>
  () =>
    paths.map((path) => ({ column: column(path), references: id }));
const others = catalog(class Other {}, [id]);
const authors: Catalog = catalog(
  Author,
  [...[id, column('name'), column('teamId'), column('bio', { nullable: true })]],
  [
    relation('notes', 'one-to-many', () => notes, { inverse: 'author', cascadeInsert: true }),
    relation('mentor', 'many-to-one', () => authors, { cascadeInsert: true, references: references('mentorId') }),
  ],
);
const columns = [
  ...[id, column('teamId'), column('text'), column('rank', { hasDefault: true }), column('place.city')],
  ...[column('place.zip'), column('place.at.x', { nullable: true })],
  column('version', { kind: 'integer', source: 'version', hasDefault: true }),
];
const relations = [
  relation('author', 'many-to-one', () => authors, {
    ...{ cascadeInsert: true, cascadeUpdate: true, references: references('authorId') },
  }),
  relation('labels', 'many-to-many', () => others),
  relation('team', 'many-to-one', () => others, { references: references('teamId') }),
  relation('pair', 'many-to-one', () => others, { references: references('teamId', 'otherId') }),
];
const paths = new Set([...columns, ...relations].map(({ path }) => path));
const notes: Catalog = {
  ...catalog(Note, [...columns, column('memo')], relations),
  recordClasses: [
    { target: class Memo {}, paths: new Set(['memo']), embedded: new Map() },
    { target: Note, paths, embedded: new Map([['place', Place]]) },
  ],
};

const params = { teamId: { field: 'teamId' }, id: { field: 'id', primary: true } } as const;

/** The schemas of records in bodies. */
async function bodiesOf({ auth, ...options }: Partial<Record<keyof ResourceOptions | 'auth', unknown>>) {
  const path = 'teams/:teamId/notes';
  const only = ['createOneBase', 'updateOneBase', 'updateManyBase', 'deleteManyBase'];
  const made = resource({ model: { type: Note }, catalogOf: () => notes, path, params, only, ...options } as never);
  Object.assign(made.definition, { auth });
  const all = Object.entries(schemas(await documentOf([made])));
  return Object.fromEntries(all.filter(([name]) => !/Response|Error|ManyNoteDto/.test(name)));
}

/** The properties of some of them, without the `Dto` of their names. */
async function shapesOf(options: Parameters<typeof bodiesOf>[0], names: string[]) {
  const document = { components: { schemas: await bodiesOf(options) } };
  return names.map((name) => shapeOf(document, `${name}Dto`));
}

const object = (properties: object, required?: string[]) => ({ type: 'object', properties, required });
const ANY = { anyOf: [{}] };
const RULED = { ...TEXT, minLength: 2, maxLength: 5 };
const ID = { ...INTEGER, example: 1 };
const VERSION = { ...ID, readOnly: true };
const RECORD = object({ id: ID }, ['id']);
const LINKS = { anyOf: [ID, RECORD] };
const AUTHOR = {
  ...{ name: TEXT, teamId: TEXT, bio: { ...TEXT, nullable: true }, mentor: LINKS },
  notes: list({ anyOf: [{ type: 'object' }] }),
};
const NEW_AUTHOR = { ...AUTHOR, name: { ...TEXT, minLength: 1, maxLength: 9 } };
const PLACE = { city: RULED, zip: TEXT, at: { type: 'object' } };
const captcha = { ...TEXT, minLength: 1 };
const FIRST = { ...LINKS, example: 1 };
const NOTE = { teamId: TEXT, text: RULED, rank: TEXT, captcha, team: FIRST, pair: FIRST };
const labels = list(LINKS, { example: [] });

test('shows what a client may set, with rules of its group, and records that contain each other once', async () => {
  const routes = { updateManyBase: { byCondition: true, requireMatch: true }, deleteManyBase: { requireMatch: true } };
  const changes = ['UpdateNoteBody', 'UpdateManyNoteItem'].map((name) => ({
    [`${name}Dto`]: object(
      {
        ...{ ...NOTE, labels, id: ID, place: ref(`${name}PlaceDto`) },
        version: name === 'UpdateNoteBody' ? VERSION : { ...ID, readOnly: false },
        author: { anyOf: [ref(`${name}AuthorDto`), ref(`${name}AuthorChangeDto`), ID] },
      },
      name === 'UpdateNoteBody' ? undefined : ['version', 'id'],
    ),
    [`${name}PlaceDto`]: object(PLACE),
    [`${name}AuthorDto`]: object(NEW_AUTHOR, ['name', 'teamId', 'mentor']),
    [`${name}AuthorChangeDto`]: object({ ...AUTHOR, id: ID }, ['id']),
  }));
  expect(await bodiesOf({ routes })).toEqual({
    UsersCreateNoteBodyDto: object(
      {
        ...{ ...NOTE, labels, rank: INTEGER, place: ref('UsersCreateNoteBodyPlaceDto') },
        author: { anyOf: [ref('UsersCreateNoteBodyAuthorDto'), ID, RECORD] },
      },
      ['text', 'place', 'author', 'labels', 'pair', 'captcha'],
    ),
    UsersCreateNoteBodyPlaceDto: object(PLACE, ['city', 'zip']),
    UsersCreateNoteBodyAuthorDto: object(NEW_AUTHOR, ['name', 'teamId', 'mentor']),
    ...{ ...changes[0], ...changes[1] },
    UpdateManyNoteSetDto: object({ ...NOTE, place: ref('UpdateManyNoteSetPlaceDto'), author: { anyOf: [ID] } }),
    UpdateManyNoteSetPlaceDto: object(PLACE),
    DeleteManyNoteItemDto: object({ version: { ...ID, readOnly: false }, id: ID }, ['version', 'id']),
  });
});

test('records of many name what the path would, and no version unless it is asked for', async () => {
  const keyed = { teamId: { field: 'teamId' }, text: { field: 'text', primary: true } };
  const routes = { updateManyBase: { byCondition: true } };
  const names = ['UpdateManyNoteItem', 'UpdateManyNoteSet', 'DeleteManyNoteItem'];
  expect(await shapesOf({ params: keyed, routes }, names)).toEqual([
    'version? id? teamId? text rank? place? author? labels[]? team? pair? captcha?',
    'teamId? rank? place? author? team? pair? captcha?',
    'text',
  ]);
  expect((await bodiesOf({ params: keyed, routes }))['UpdateManyNoteItemDto']!['properties'].version).toEqual(VERSION);
});

test('without validation, rules are not shown; what `persist` sets in related records need not be sent', async () => {
  const routes = { createOneBase: { validation: false } };
  const auth = { relations: { author: { persist: () => ({ teamId: 1 }) }, labels: false } };
  const options = { only: ['createOneBase'], routes };
  const bodies = await bodiesOf({ ...options, auth });
  expect(bodies['UsersCreateNoteBodyDto']!['properties'].text).toEqual(TEXT);
  expect(await shapesOf({ ...options, auth }, ['UsersCreateNoteBody', 'UsersCreateNoteBodyAuthor'])).toEqual([
    'teamId? text rank? place author labels[]? team? pair',
    'name teamId? bio? notes[]? mentor',
  ]);
});

test('without a catalog, what is declared and ruled is shown', async () => {
  const options = { catalogOf: () => undefined, routes: { updateManyBase: { byCondition: true, requireMatch: true } } };
  expect((await bodiesOf(options))['CreateNoteBodyDto']!['properties']).toEqual({
    version: { type: 'number', readOnly: true },
    text: RULED,
    rank: INTEGER,
    captcha,
    team: ANY,
    pair: ANY,
    labels: ANY,
  });
  const names = ['CreateNoteBody', 'UpdateNoteBody', 'UpdateManyNoteItem', 'UpdateManyNoteSet', 'DeleteManyNoteItem'];
  const changed = 'version? text? captcha? team? pair? labels?';
  const created = 'version? rank? text captcha team pair labels';
  expect(await shapesOf(options, names)).toEqual([created, changed, changed, changed, '']);
});
