/** A model in the bodies of one record, of many and of a condition → their schemas in full, in a valid document. */
import { expect, test } from '@jest/globals';
import { Controller, Post, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsInt, IsOptional, Length } from 'class-validator';
import type { Catalog } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { catalog, column, documentOf, resource, type ResourceOptions } from './fixture.js';
import { bodyOf, ref, schemas } from './reading.js';

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

class Sent {
  @ApiProperty() @Length(2, 5) text!: string;
  @Length(1) captcha!: string;
}

const KEY = { kind: 'integer', primary: true, autoIncrement: true, generated: true, hasDefault: true } as const;
const id = column('id', KEY);
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

const object = (properties: object, required?: string[]) => ({ type: 'object', properties, required });
const TEXT = { type: 'string' };
const ANY = { anyOf: [{}] };
const RULED = { ...TEXT, minLength: 2, maxLength: 5 };
const ID = { type: 'integer', example: 1 };
const VERSION = { ...ID, readOnly: true };
const RECORD = object({ id: ID }, ['id']);
const LINKS = { anyOf: [ID, RECORD] };
const AUTHOR = {
  ...{ name: TEXT, teamId: TEXT, bio: { ...TEXT, nullable: true }, mentor: LINKS },
  notes: { type: 'array', items: { anyOf: [{ type: 'object' }] } },
};
const NEW_AUTHOR = { ...AUTHOR, name: { ...TEXT, minLength: 1, maxLength: 9 } };
const PLACE = { city: RULED, zip: TEXT, at: { type: 'object' } };
const captcha = { ...TEXT, minLength: 1 };
const FIRST = { ...LINKS, example: 1 };
const NOTE = { teamId: TEXT, text: RULED, rank: TEXT, captcha, team: FIRST, pair: FIRST };
const labels = { type: 'array', items: LINKS, example: [] };

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
        ...{ ...NOTE, labels, rank: { type: 'integer' }, place: ref('UsersCreateNoteBodyPlaceDto') },
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
  const bodies = await bodiesOf({ params: keyed, routes: { updateManyBase: { byCondition: true } } });
  const { UpdateManyNoteItemDto: item, UpdateManyNoteSetDto: set, DeleteManyNoteItemDto: deleted } = bodies;
  expect([item!['properties'].version, item!['required']]).toEqual([VERSION, ['text']]);
  expect(deleted).toEqual(object({ text: RULED }, ['text']));
  expect(Object.keys(set!['properties'] as object)).toEqual([
    'teamId',
    'rank',
    'place',
    'author',
    'team',
    'pair',
    'captcha',
  ]);
});

test('without validation, rules are not shown; what `persist` sets in related records need not be sent', async () => {
  const routes = { createOneBase: { validation: false } };
  const auth = { relations: { author: { persist: () => ({ teamId: 1 }) }, labels: false } };
  const bodies = await bodiesOf({ only: ['createOneBase'], routes, auth });
  const { UsersCreateNoteBodyDto: note, UsersCreateNoteBodyAuthorDto: author } = bodies;
  expect(note).toMatchObject({ required: ['text', 'place', 'author', 'pair'] });
  expect([note!['properties'].text, author]).toEqual([TEXT, object(AUTHOR, ['name', 'mentor'])]);
  const { Sent: sent } = await bodiesOf({ only: ['createOneBase'], routes, dto: { create: Sent } });
  expect(sent).toEqual(object({ text: TEXT }, ['text']));
});

test('without a catalog, what is declared and ruled is shown', async () => {
  const routes = { updateManyBase: { byCondition: true, requireMatch: true } };
  const shown = {
    version: { type: 'number', readOnly: true },
    text: RULED,
    captcha,
    team: ANY,
    pair: ANY,
    labels: ANY,
  };
  expect(await bodiesOf({ catalogOf: () => undefined, routes })).toEqual({
    CreateNoteBodyDto: object({ ...shown, rank: { type: 'integer' } }, ['text', 'captcha', 'team', 'pair', 'labels']),
    ...{ UpdateNoteBodyDto: object(shown), UpdateManyNoteItemDto: object(shown), UpdateManyNoteSetDto: object(shown) },
    Note: object({ version: shown.version }, ['version']),
    DeleteManyNoteItemDto: object({}),
  });
});

/** A handler of the application that answers with a class, under a name. */
const taking = (type: Type<unknown>, name: string) => {
  @Controller(name)
  class OwnController {
    @Post() @ApiOkResponse({ type }) take(): void {}
  }

  Object.defineProperty(type, 'name', { value: name });
  return OwnController;
};

test('a class that is equal shares the name of a schema, another numbers it; models of one name are told apart', async () => {
  class Equal {
    @ApiProperty({ type: Place }) place!: Place;
  }

  const noteIn = (path: string, type: unknown, schemas: 'short' | 'long' = 'short') => {
    class Note {
      @ApiProperty({ type: type as never }) place!: unknown;
    }

    const openapi = { schemas };
    const route = { only: ['createOneBase' as const], catalogOf: () => undefined, dto: {} };
    return resource({ ...route, path, name: `${path}Controller`, model: { type: Note }, openapi });
  };
  const bodies = async (...served: Parameters<typeof documentOf>[0]) => {
    const document = await documentOf(served);
    return ['/A', '/B'].map((path) => bodyOf(document, path, 'post'));
  };
  const [a, b] = [noteIn('A', Place), noteIn('B', Author)];
  expect(await bodies(taking(Equal, 'CreateNote'), a, b)).toEqual([ref('CreateNote'), ref('BCreateNote')]);
  const taken = [taking(class {}, 'CreateNoteBodyDto'), taking(class {}, 'CreateNoteBodyDto2')];
  expect(await bodies(...taken, noteIn('A', Place, 'long'), noteIn('B', Author, 'long'))).toEqual([
    ...[ref('CreateNoteBodyDto3'), ref('BCreateNoteBodyDto')],
  ]);
});
