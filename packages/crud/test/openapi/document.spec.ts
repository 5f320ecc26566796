/** Resources → the documents that @nestjs/swagger builds of them: what they say of answers, that an independent validator takes them, and that the tables of `docs/openapi-document.md` and `docs/serialization.md` say what the code does. */
import { expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { JoinOptions } from '../../src/definition/query-options.js';
import { type BaseRouteName, ROUTES } from '../../src/routes/route-table.js';
import { responseShape } from '../../src/serialization/serialize.js';
import { tableOf } from '../../../../integration/test-support/pages.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { relation } from '../plan/catalogs.js';
import { ALL_ROUTES, catalog, column, Company, documentOf, resource, type ResourceOptions, User } from './fixture.js';
import { at, type Json, nameOf, namesOf, operationsOf, ref, schemaOf, schemas, shapeOf, shownBy } from './reading.js';

const answer = (document: unknown, path: string, method: string, status = 200) =>
  schemaOf(at(document, path, method)['responses'][status] as Json);

test('controllers over one model share what is equal and keep apart what is not, whatever their names', async () => {
  const document = await documentOf([
    resource({ query: { etag: true } }),
    resource({ path: 'admins', name: 'AdminsController' }),
    ...['email', 'age'].map((name) => resource({ path: name, query: { exclude: [name] }, only: ['getManyBase'] })),
  ]);
  const ids = operationsOf(document).map(({ operationId }) => operationId as string);
  const list = (path: string) => answer(document, path, 'get')['oneOf'] as Json[];
  expect([new Set(ids).size, list('/admins')]).toEqual([ids.length, list('/users')]);
  const names = ['/users', '/email', '/age'].map((path) => nameOf(list(path)[0]!['items'] as Json));
  expect(names).toEqual(['UserResponseDto', 'UsersUserResponseDto', 'UsersUserResponse2Dto']);
  const shown = names.map((name) =>
    shownBy(document, name)
      .filter((property) => /email|age/.test(property))
      .join(),
  );
  expect(shown).toEqual(['email,age', 'age', 'email']);
  expect(at(document, '/users', 'get')['tags']).toEqual(['Users']);
  expect(namesOf(at(document, '/users', 'get'), 'header')).toEqual(['If-None-Match']);
});

class Owner {
  @ApiProperty() id!: number;
  @ApiProperty({ type: String }) name = '';
  @ApiProperty() password!: string;
  @ApiProperty({ type: () => Owner, isArray: true }) friends!: Owner[];
}

class Staff {
  @ApiProperty() id!: number;
  @ApiProperty() @Expose({ groups: ['hr'] }) salary!: number;
  @ApiProperty() @Exclude() pin!: string;
}

/** A class of responses. */
class Card {
  @ApiProperty() id!: number;
  @ApiProperty() @Exclude() password!: string;
  @ApiProperty() token!: string;
  @ApiProperty() email!: string;
  @ApiProperty() title!: string;
  @ApiProperty({ type: String }) kind = 'card';
  @ApiProperty({ type: String }) @Expose() get label(): string {
    return this.kind;
  }
}

const texts = (...paths: string[]) => paths.map((path) => column(path, { primary: path === 'id' }));
const owner: Catalog = catalog(Owner, texts('id', 'password', 'name'), [
  relation('friends', 'many-to-many', () => owner),
]);
const joining = (join: JoinOptions): ResourceOptions => ({
  model: { type: Owner },
  catalogOf: () => owner,
  query: { join },
});
const UNRETURNED: JoinOptions = { friends: { select: false } };
const UNKNOWN = { catalogOf: () => undefined };
const REST = 'age? companyId? company? createdAt? settings?';

test.each<[string, ResourceOptions, shown: Record<string, string>]>([
  [
    'all but what is hidden, columns without a decorator, and related records if they are joined',
    { query: { exclude: ['password'], join: { company: {} } } },
    { UserResponseDto: `id email? ${REST}`, UserResponseCompanyDto: 'id name? secret?' },
  ],
  [
    'what `persist` selects for certain, unless it is hidden',
    { query: { persist: ['email', 'password'], exclude: ['password'], join: { company: { persist: ['name'] } } } },
    { UserResponseDto: `id email ${REST}`, UserResponseCompanyDto: 'id name secret?' },
  ],
  [
    'of a joined record what its join lets out',
    joining({ friends: { exclude: ['password'] }, 'friends.friends': { allow: ['name'] } }),
    {
      OwnerResponseDto: 'id name? password? friends[]?',
      OwnerResponseFriendsDto: 'id name? friends[]?',
      OwnerResponseFriendsFriendsDto: 'id name?',
    },
  ],
  ['no relation that is never returned', joining(UNRETURNED), { OwnerResponseDto: 'id name? password?' }],
  [
    'a relation that is never returned, for those that it leads to',
    joining({ ...UNRETURNED, 'friends.friends': {} }),
    { OwnerResponseDto: 'id name? password? friends[]?' },
  ],
  ['a model that loses nothing, under its own name', { model: { type: Company }, ...UNKNOWN }, { Company: 'id name' }],
  ['what groups get, never for certain', { model: { type: Staff }, ...UNKNOWN }, { StaffResponseDto: 'id salary?' }],
  [
    'of a class in `serialize` not what it or the entity hides, for certain what it makes itself',
    { serialize: { get: Card }, query: { persist: ['token'] } },
    { CardResponseDto: 'id email? title kind label age? companyId? settings? createdAt?' },
  ],
])('an answer shows %s', async (_, options, shown) => {
  const [document, names] = [await documentOf([resource(options)]), Object.keys(shown)];
  expect(answer(document, '/users/{id}', 'get')).toEqual(ref(names[0]!));
  expect(Object.fromEntries(names.map((name) => [name, shapeOf(document, name)]))).toEqual(shown);
});

test('a value that the class changes is of the type that it declares, or else of any', async () => {
  class Priced {
    @ApiProperty({ type: 'integer' }) id!: number;
    @ApiProperty({ type: 'string', description: 'In words' }) @Transform(() => 'nine') price!: number;
    @Transform(() => 'eight') cost!: number;
  }

  const priced = catalog(Priced, [...texts('id'), column('price', { kind: 'integer' }), column('cost')]);
  const document = await documentOf([resource({ model: { type: Priced }, catalogOf: () => priced })]);
  const { price, cost } = schemas(document)['PricedResponseDto']!['properties'] as Json;
  expect([price, cost]).toEqual([{ type: 'string', description: 'In words' }, { anyOf: [{}] }]);
});

class CardPage {
  @ApiProperty() count!: number;
  @ApiProperty({ type: [Card] }) data!: Card[];
}

class UnknownPage {
  @ApiProperty() count!: number;
  @Type(() => User) data!: User[];
}

test('an own envelope shows records as answers have them, and pages by cursors have a schema of their own', async () => {
  const own = resource({ serialize: { getMany: CardPage }, query: { cursor: true } });
  const paged = { serialize: { getMany: UnknownPage }, query: { alwaysPaginate: true } };
  const document = await documentOf([own, resource({ ...paged, path: 'paged' })]);
  const pages = [ref('CardPageResponseDto'), ref('GetManyUserCursorResponseDto')];
  expect(answer(document, '/users', 'get')['oneOf'].slice(1)).toEqual(pages);
  expect(shapeOf(document, 'CardPageResponseDto')).toBe('count data[]');
  expect(shapeOf(document, 'CardPageResponseDataDto')).toBe(
    'id password? email? title? kind? label? age? companyId? settings? createdAt?',
  );
  expect(shapeOf(document, 'GetManyUserCursorResponseDto')).toBe('data[] count total? next previous');
  // One whose records are not documented is described as any page, which is all that is answered.
  expect(answer(document, '/paged', 'get')).toEqual(ref('GetManyUserResponseDto'));
  expect(shapeOf(document, 'GetManyUserResponseDto')).toBe('data[] count total page pageCount');
});

test('a list with cursors is an array, or a page that may have numbers or cursors', async () => {
  const document = await documentOf([resource({ query: { cursor: true } })]);
  expect(shapeOf(document, 'GetManyUserResponseDto')).toBe('data[] count total? page? pageCount? next? previous?');
});

async function operations(options: ResourceOptions = {}): Promise<Map<string, Json>> {
  const all = operationsOf(await documentOf([resource({ ...options, query: { softDelete: true } })]));
  return new Map(all.map((one) => [(one['operationId'] as string).replace('UsersControllerUser', ''), one]));
}

test('operations: ids, summaries and statuses', async () => {
  const described = await operations();
  const rows = tableOf('openapi-document.md', 'Route | `operationId`');
  expect(rows.map(([route]) => route)).toEqual(ALL_ROUTES);
  for (const [route = '', id = '', summary = '', statuses] of rows) {
    const operation = described.get(route)!;
    const operationId = id.replace('<Controller>', 'UsersController').replace('<Model>', 'User');
    expect(operation).toMatchObject({ operationId, summary: summary.replace('<Model>', 'User') });
    expect(Object.keys(operation['responses']).join(', ')).toBe(statuses);
  }
});

test('query parameters by route', async () => {
  const full = await operations({ routes: { deleteOneBase: { returnDeleted: true } } });
  const shallow = { returnShallow: true };
  const writes = { createOneBase: shallow, updateOneBase: shallow, replaceOneBase: shallow };
  const less = await operations({ routes: writes });
  const named = (described: Map<string, Json>, route: string) => namesOf(described.get(route)!, 'query');
  for (const [routes = '', cell = ''] of tableOf('openapi-document.md', 'Route | Query parameters')) {
    const [first = '', second] = cell.replace('with returnDeleted: ', '').split('; with returnShallow: ');
    for (const route of routes.split(' ')) {
      expect([route, ...named(full, route)]).toEqual([route, ...first.split(' ')]);
      if (second && route !== 'recoverOneBase') expect([route, ...named(less, route)]).toEqual([route, second]);
    }
  }
});

test('which class shapes which route', () => {
  const rows = tableOf('serialization.md', 'Key | Serializes the records of');
  expect(rows).toHaveLength(ALL_ROUTES.length);
  for (const [key = '', shaped = '', fallback = ''] of rows) {
    const route = shaped.split(' ')[0] as BaseRouteName;
    const shapedBy = (serialize: object) => responseShape({ model: User, serialize } as never, route).record;
    const [before] = fallback.split(', then ');
    expect(ROUTES[route].serialize).toBe(key);
    expect(shapedBy({ [key]: Company })).toBe(Company);
    expect(shapedBy({})).toBe(User);
    if (before && before !== 'the model') expect(shapedBy({ [before]: Company })).toBe(Company);
  }
});
