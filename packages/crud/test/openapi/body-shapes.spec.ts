/** A model in the bodies of one record, of many and of a condition → their schemas in full, in a valid document; its relations, by what the database requires and what cascades. */
import { beforeAll, expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsInt, IsOptional, Length } from 'class-validator';
import type { Catalog, CatalogColumn, CatalogRelation } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, id, KEY, resource, type ResourceOptions } from './fixture.js';
import { INTEGER, type Json, list, nameOf, ref, schemas, shapeOf, TEXT } from './reading.js';

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

class Owner {
  @ApiProperty({ example: 7 }) givenId!: number;
  @ApiProperty({ default: 7 }) presetId!: number;
  @ApiProperty({ example: 7 }) given!: object;
}

class Target {}

const nullable = true;

const targetOf = (...keys: Partial<CatalogColumn>[]) =>
  catalog(Target, [...keys.map((key, at) => column('ab'[at]!, { primary: true, ...key })), column('title')]);
const COUNTED = targetOf(KEY);

/** What a property takes: `integer or {a integer}, such as 1`. */
function print(schema: Json | undefined): string {
  if (!schema) return 'nothing';
  const { $ref, anyOf, items, properties, nullable: isNullable, example, type, format } = schema;
  const name = $ref && nameOf(schema).replace(/OwnerBody|Dto/g, '');
  const parts = Object.entries((properties ?? {}) as Json).map(([part, of]) => `${part} ${print(of as Json)}`);
  const taken = anyOf ? (anyOf as Json[]).map(print).join(' or ') : parts.length > 0 ? `{${parts.join(' ')}}` : type;
  const rest = [isNullable && 'or null', anyOf && 'example' in schema && `such as ${JSON.stringify(example)}`];
  if (items) return [`lists of ${print(items as Json)}`, example && 'such as []'].filter(Boolean).join(', ');
  return [name ?? format ?? taken, ...rest].filter(Boolean).join(', ');
}

/** A relation to records with a counted key, or others, and what the bodies of POST and PATCH take. */
type Row = [name: string, kind: CatalogRelation['kind'], more: Partial<CatalogRelation>, post: string, patch?: string];

const [insert, update] = [{ cascadeInsert: true }, { cascadeUpdate: true }];
const both = { ...insert, ...update };
const UUIDS = targetOf({}, { kind: 'uuid' });
const BY_KEY = 'integer or {a integer}';
const ROWS: Row[] = [
  ['key', 'many-to-one', {}, `${BY_KEY}, such as 1`],
  ['none', 'many-to-one', { nullable }, `${BY_KEY}, or null, such as null`],
  ['pair', 'many-to-one', { target: UUIDS }, '{a string b uuid}'],
  ['many', 'many-to-many', {}, `lists of ${BY_KEY}, such as []`],
  ['new', 'many-to-one', insert, `CreateNew or ${BY_KEY}`, `UpdateNew or ${BY_KEY}`],
  ['changed', 'many-to-one', update, `${BY_KEY}, such as 1`, 'UpdateChanged or integer, such as 1'],
  ['all', 'many-to-many', both, `lists of CreateAll or ${BY_KEY}`, 'lists of UpdateAll or UpdateAllChange or integer'],
  ['single', 'one-to-one', update, `${BY_KEY}, such as 1`, 'UpdateSingle or integer, such as 1'],
  ['children', 'one-to-many', {}, 'nothing'],
  ['made', 'one-to-many', insert, 'lists of CreateMade or CreateMadeChange', 'lists of UpdateMade or UpdateMadeChange'],
  ['kept', 'one-to-many', update, 'lists of CreateKept, such as []', 'lists of UpdateKept, such as []'],
  ['child', 'one-to-one-inverse', update, 'CreateChild, such as 1', 'UpdateChild, such as 1'],
];

const WHOLE = { kind: 'integer' } as const;
const keys = [
  ...[column('keyId', WHOLE), column('noneId', { ...WHOLE, nullable }), column('textId', { length: 9 })],
  ...[column('givenId', WHOLE), column('presetId', WHOLE)],
];
let document: unknown;
let bodies: Record<string, Json>[];

beforeAll(async () => {
  const references = (...found: CatalogColumn[]) => ({
    references: () => found.map((key) => ({ column: key, references: COUNTED.primary[0]! })),
  });
  const owner: Catalog = catalog(
    Owner,
    [id, ...keys],
    [
      ...ROWS.map(([name, kind, more]) => relation(name, kind, () => COUNTED, more as object)),
      ...keys.map((key) => relation(`of${key.path}`, 'many-to-one', () => COUNTED, references(key))),
      relation('given', 'many-to-one', () => COUNTED, references(column('otherId'))),
    ],
  );
  const only = ['createOneBase', 'updateOneBase', 'replaceOneBase'] as const;
  document = await documentOf([resource({ model: { type: Owner }, catalogOf: () => owner, only })]);
  const bodyOf = (verb: string) => schemas(document)[`${verb}OwnerBodyDto`]!['properties'] as Record<string, Json>;
  bodies = ['Create', 'Update'].map(bodyOf);
});

test.each(ROWS)('a relation: %s', (name, _, __, post, patch = post) =>
  expect(bodies.map((body) => print(body[name]))).toEqual([post, patch]),
);

test('a nested record requires its columns if it is created, and its key if it is changed among several', () => {
  const nested = Object.keys(schemas(document)).filter((name) => /^(Create|Update)OwnerBody(?!Dto)/.test(name));
  const namesOf = (shape: string) =>
    nested.filter((name) => shapeOf(document, name) === shape).map((name) => name.replace(/OwnerBody|Dto/g, ''));
  const shapes = ['title', 'a title?', 'a? title?'].map((shape) => namesOf(shape).toSorted().join(' '));
  expect([nested.length, ...shapes]).toEqual([
    15,
    'CreateAll CreateMade CreateNew UpdateAll UpdateMade UpdateNew',
    'CreateChild CreateKept CreateMadeChange UpdateAllChange UpdateChanged UpdateKept UpdateMadeChange',
    'UpdateChild UpdateSingle',
  ]);
});

test('a foreign key has an example that a first try accepts, unless the application gives one', () => {
  const [{ keyId, noneId, textId, givenId, presetId, given }] = bodies as [Record<string, Json>];
  const integer = { type: 'integer' };
  expect({ keyId, noneId, textId, givenId, presetId }).toEqual({
    keyId: { ...integer, example: 1 },
    noneId: { ...integer, nullable, example: null },
    textId: { type: 'string', maxLength: 9 },
    givenId: { ...integer, example: 7 },
    presetId: { ...integer, default: 7 },
  });
  expect(given!['example']).toBe(7);
});
