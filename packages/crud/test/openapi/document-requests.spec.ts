/** What documents say of the bodies and parameters of requests. */
import { describe, expect, test } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID } from 'class-validator';
import { namesInPath } from '../../src/openapi/parameters.js';
import type { Catalog } from '../../src/plan/catalog.js';
import {
  catalog,
  column,
  Company,
  documentOf,
  makeUserCatalog,
  resource,
  type ResourceOptions,
  User,
} from './fixture.js';
import { at, bodyOf, type Json, namesOf, parameter, ref, schemas, shownBy, validate } from './reading.js';

const requiredBy = (document: unknown, name: string) => schemas(document)[name]!['required'] as string[] | undefined;

describe('bodies', () => {
  test('the model loses what the server fills in; PATCH demands nothing, bulk wraps the body of POST', async () => {
    const document = await documentOf([resource()]);

    expect(at(document, '/users', 'post')['requestBody']).toMatchObject({ required: true });
    expect(bodyOf(document, '/users', 'post')).toEqual(ref('CreateUserBodyDto'));
    expect(shownBy(document, 'CreateUserBodyDto').join()).toBe('email,password,token,age,companyId,company,settings');
    expect(requiredBy(document, 'CreateUserBodyDto')).toEqual(['email', 'password', 'companyId']);
    expect(requiredBy(document, 'UpdateUserBodyDto')).toBeUndefined();
    expect(requiredBy(document, 'ReplaceUserBodyDto')).toEqual(['email', 'password', 'companyId']);
    expect(bodyOf(document, '/users/bulk', 'post')).toEqual(ref('CreateManyUserDto'));
    expect(schemas(document)['CreateManyUserDto']!['properties'].bulk).toMatchObject({
      type: 'array',
      minItems: 1,
      items: ref('CreateUserBodyDto'),
    });
  });

  test.each<[string, unknown, string[]]>([
    ['a column', (user: Json) => ({ companyId: user['team'].company.id as number }), []],
    ['a relation', (user: Json) => ({ company: { id: user['id'] as number } }), []],
    ['nothing, as it fails', () => Promise.reject(new Error('no database')), ['companyId']],
    ['what an empty user lacks', (user: Json) => ({ companyId: [...(user['ids'] as number[])] }), ['companyId']],
  ])('what `persist` sets need not be sent: %s', async (_, persist, required) => {
    const made = resource();
    Object.assign(made.definition, { auth: { property: 'user', persist } });

    expect(requiredBy(await documentOf([made]), 'CreateUserBodyDto')).toEqual(['email', 'password', ...required]);
  });

  test('what the path fills in need not be sent', async () => {
    const params = { companyId: { field: 'companyId', type: 'number' }, id: { field: 'id', primary: true } };
    const document = await documentOf([resource({ path: 'companies/:companyId/users', params: params as never })]);

    expect(requiredBy(document, 'UsersCreateUserBodyDto')).toEqual(['email', 'password']);
  });

  test('what is read-only is required of no body', async () => {
    class Note {
      @ApiProperty({ type: 'integer' }) id!: number;
      @ApiProperty({ readOnly: true }) tenant!: string;
      @ApiProperty() text!: string;
    }
    const id = column('id', { kind: 'integer', primary: true, autoIncrement: true });
    const catalogOf = () => catalog(Note, [id, column('tenant'), column('text')]);
    const document = await documentOf([resource({ model: { type: Note }, catalogOf })]);

    for (const name of ['CreateNoteBodyDto', 'ReplaceNoteBodyDto'])
      expect(schemas(document)[name]).toMatchObject({ required: ['text'], properties: { tenant: { readOnly: true } } });
  });

  test('dto classes are shown as they are; PUT takes replace, then create', async () => {
    const document = await documentOf([resource({ dto: { create: Company, update: User } })]);

    expect(bodyOf(document, '/users', 'post')).toEqual(ref('Company'));
    expect(bodyOf(document, '/users/{id}', 'put')).toEqual(ref('Company'));
    expect(schemas(document)['CreateManyUserDto']!['properties'].bulk.items).toEqual(ref('Company'));
  });
});

describe('rules without a group, and classes in dto that extend the entity', () => {
  class Person {
    @ApiProperty() @IsUUID() id!: string;
    @ApiProperty() @IsString() name!: string;
    @ApiProperty() @IsString() role!: string;
    @ApiProperty() @IsOptional() @IsString() hint!: string;
    @ApiProperty() @IsOptional() @IsString({ always: true }) motto!: string;
    @ApiProperty() createdAt!: Date;
  }
  class CreatePerson extends Person {
    @ApiProperty() @IsString() captcha!: string;
  }
  const id = column('id', { primary: true, generated: true, hasDefault: true });
  const model = { type: Person };
  const named = (document: unknown, path: string, method: string) =>
    (bodyOf(document, path, method)['$ref'] as string).split('/').pop()!;

  test.each<[string, Pick<ResourceOptions, 'dto'>, string[] | undefined]>([
    ['show what can be set', { dto: { create: CreatePerson } }, undefined],
    ['require what they demand', {}, ['motto', 'name', 'role']],
  ])('%s', async (_, options, required) => {
    const people = catalog(Person, [
      id,
      column('name'),
      ...['role', 'hint', 'motto'].map((path) => column(path, { hasDefault: true })),
      column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault: true }),
    ]);
    const document = await documentOf([resource({ model, catalogOf: () => people, ...options })]);
    const [created, replaced] = [named(document, '/users', 'post'), named(document, '/users/{id}', 'put')];
    const own = required ? [] : ['captcha'];

    for (const name of [created, replaced])
      expect(shownBy(document, name).toSorted()).toEqual([...own, 'hint', 'id', 'motto', 'name', 'role']);
    if (required) expect(requiredBy(document, created)!.toSorted()).toEqual(required);
  });

  test('a body of a class in dto does not require what the path fills in', async () => {
    class Joining {
      @ApiProperty() @IsString() team!: string;
      @ApiProperty() @IsString() name!: string;
    }
    class Renaming {
      @ApiProperty({ required: false }) @IsOptional() @IsString() team?: string;
      @ApiProperty() @IsString() name!: string;
    }
    const members: Catalog = catalog(Person, [id, column('team'), column('name')]);
    const options = { model, dto: { create: Joining, update: Renaming }, catalogOf: () => members };
    const params = { team: { field: 'team' }, id: { field: 'id', primary: true } };
    const document = await documentOf([
      resource({ ...options, path: 'people', name: 'PeopleController' }),
      resource({ ...options, path: 'teams/:team/people', name: 'TeamController', params }),
    ]);
    const required = (path: string, method: string) => {
      const name = named(document, path, method);

      return [name, ...requiredBy(document, name)!];
    };

    expect(required('/people', 'post')).toEqual(['Joining', 'team', 'name']);
    expect(required('/teams/{team}/people', 'post')).toEqual(['TeamCreatePersonBodyDto', 'name']);
    expect(required('/teams/{team}/people/{id}', 'put')).toEqual(['TeamReplacePersonBodyDto', 'name']);
    expect(required('/teams/{team}/people/{id}', 'patch')).toEqual(['Renaming', 'name']);
  });
});

describe('query parameters', () => {
  const listOf = async (options: ResourceOptions = {}) => at(await documentOf([resource(options)]), '/users', 'get');
  const patternOf = (list: Json, name: string) => new RegExp(parameter(list, name)['schema'].items.pattern as string);

  test('a deletion that answers with nothing has none; includeDeleted needs softDelete', async () => {
    const document = await documentOf([resource()]);

    expect(namesOf(at(document, '/users/{id}', 'delete'))).toEqual(['id']);
    expect(namesOf(at(document, '/users', 'get'))).not.toContain('includeDeleted');
  });

  test('carry the names that clients may use, and no hidden one', async () => {
    const list = await listOf({ query: { exclude: ['password'], join: { company: { exclude: ['secret'] } } } });

    expect(parameter(list, 'fields')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { enum: ['id', 'email', 'age', 'companyId', 'settings', 'createdAt'] } },
    });
    expect(parameter(list, 'sort')['schema'].items).toEqual({
      type: 'string',
      pattern: '^((id|email|age|companyId|createdAt)|(company)\\.(id|name))(,([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$',
    });
    expect(parameter(list, 'sort')['description']).toContain(
      ' Fields: `id`, `email`, `age`, `companyId`, `createdAt`, `company.id`, `company.name`.',
    );
    expect(JSON.stringify(list)).not.toMatch(/password|token|secret/);
  });

  test('follow the options of the query language and the limits', async () => {
    const language = { delim: '~', paramNamesMap: { limit: ['take', 'limit'], search: 'q', fields: 'pick' } };
    const query = { limit: 20, maxLimit: 50, limits: { sorts: 3 } };
    const list = await listOf({ language: language as never, query });

    expect(namesOf(list).join()).toBe('pick,q,filter,or,sort,join,take,offset,page,cache');
    expect(parameter(list, 'take')['schema']).toEqual({ type: 'integer', minimum: 1, maximum: 50, default: 20 });
    expect(parameter(list, 'sort')['schema'].maxItems).toBe(3);
    expect('email~$eq~1').toMatch(patternOf(list, 'filter'));
  });

  test('are bounded by the largest page', async () => {
    const largest = async (query: object) => parameter(await listOf({ query }), 'limit')['schema'].maximum as unknown;

    expect([await largest({}), await largest({ limit: 5000 })]).toEqual([1000, 5000]);
    expect(await largest({ maxLimit: false })).toBeUndefined();
  });

  test('names come with the catalog, at the time the document is built', async () => {
    const known: Catalog[] = [];
    const late = resource({ catalogOf: () => known[0] });
    const fields = async () =>
      parameter(at(await documentOf([late]), '/users', 'get'), 'fields')['schema'].items as Json;

    expect(await fields()).toEqual({ type: 'string' });
    known.push(makeUserCatalog());
    expect((await fields())['enum']).toContain('email');
  });
});

describe('path parameters', () => {
  test('have the type of the option, refined by the column', async () => {
    enum Kind {
      A = 1,
      B = 2,
    }
    const params = {
      kind: { field: 'kind', enum: Kind },
      tag: { field: 'tag', type: 'string' },
      tenant: { field: 'tenant', type: 'uuid' },
      id: { field: 'id', type: 'number', primary: true },
    };
    const document = await documentOf([resource({ path: ':tenant/:kind/:tag/users', params: params as never })]);
    const one = at(document, '/{tenant}/{kind}/{tag}/users/{id}', 'get');

    expect(parameter(one, 'kind')).toMatchObject({
      in: 'path',
      required: true,
      schema: { type: 'number', enum: [1, 2] },
    });
    expect(parameter(one, 'tag')['schema']).toEqual({ type: 'string' });
    expect(parameter(one, 'tenant')['schema']).toEqual({ type: 'string', format: 'uuid' });
    expect(parameter(one, 'id')['schema']).toEqual({ type: 'integer' });
    expect(namesOf(at(document, '/{tenant}/{kind}/{tag}/users', 'get'))).not.toContain('id');
  });

  test('that are no option are there because of the path', async () => {
    const options = { path: 'tenants/:tenant/users', params: { id: { field: 'id', disabled: true } } as never };
    const document = await documentOf([resource({ only: ['getManyBase'], catalogOf: () => undefined, ...options })]);
    const list = at(document, '/tenants/{tenant}/users', 'get');

    expect(namesOf(list, 'path')).toEqual(['tenant']);
    expect(parameter(list, 'tenant')).toMatchObject({
      required: true,
      description: 'Path parameter `tenant`',
      schema: { type: 'string' },
    });
  });

  test.each([
    ['users/:id', ['id']],
    ['/companies/{companyId}/users/{id}', ['companyId', 'id']],
    ['users{/:id}', ['id']],
    ['users/:id((?:\\d+))/:other', ['id', 'other']],
    ['users', []],
  ])('are read from %s', (path, names) => {
    expect(namesInPath(path)).toEqual(names);
  });
});

class City {
  @ApiProperty({ default: 'Rome' }) name!: string;
  @ApiProperty({ type: () => [City] }) twins!: City[];
}

const RAW = { default: { type: 'string', default: 'x' } } as const;

class Address {
  @ApiProperty({ type: () => City }) city!: City;
  @ApiProperty({ type: [String], default: [] }) lines!: string[];
  @ApiProperty({ type: 'object', properties: RAW, additionalProperties: false }) raw!: object;
}

class Plain {
  @ApiProperty() text!: string;
}

class Person {
  @ApiProperty() id!: number;
  @ApiProperty({ default: 'guest', enum: ['guest', 'owner'] }) role!: string;
  @ApiProperty({ type: Address }) home!: Address;
  @ApiProperty({ type: [Address], nullable: true }) others!: Address[];
  @ApiProperty({ type: () => Plain }) plain!: Plain;
  /** As the plugin of `@nestjs/swagger` notes an initialiser. */
  age = 18;

  static _OPENAPI_METADATA_FACTORY(): object {
    return {
      age: { required: true, type: () => Number, default: 18 },
      role: { required: true, type: () => String, default: 'guest' },
    };
  }
}

async function described(options: ResourceOptions = {}) {
  const people = catalog(Person, [
    column('id', { kind: 'integer', primary: true, autoIncrement: true }),
    ...['role', 'age', 'home', 'others', 'plain'].map((path) => column(path, { hasDefault: true })),
  ]);
  const document = await documentOf([resource({ model: { type: Person }, catalogOf: () => people, ...options })]);
  await validate({ ...document, openapi: '3.1.0' });

  return {
    schemas: schemas(document),
    post: bodyOf(document, '/users', 'post'),
    put: bodyOf(document, '/users/{id}', 'put'),
    patch: bodyOf(document, '/users/{id}', 'patch'),
  };
}

describe('a body of PATCH has no defaults', () => {
  test('of the entity, of its classes and of what the plugin notes', async () => {
    const { schemas, patch, post } = await described();

    expect(patch).toEqual(ref('UpdatePersonBodyDto'));
    expect(schemas['UpdatePersonBodyDto']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', example: 1 },
        role: { type: 'string', enum: ['guest', 'owner'] },
        home: ref('AddressPatchDto'),
        others: { type: 'array', nullable: true, items: ref('AddressPatchDto') },
        plain: ref('Plain'),
        age: { type: 'number' },
      },
    });
    expect(schemas['AddressPatchDto']).toEqual({
      type: 'object',
      properties: {
        city: ref('CityPatchDto'),
        lines: { type: 'array', items: { type: 'string' } },
        raw: { type: 'object', properties: { default: { type: 'string' } }, additionalProperties: false },
      },
      required: ['city', 'lines', 'raw'],
    });
    expect(schemas['CityPatchDto']!['properties']).toEqual({
      name: { type: 'string' },
      twins: { type: 'array', items: ref('CityPatchDto') },
    });

    // POST keeps them.
    expect(post).toEqual(ref('CreatePersonBodyDto'));
    expect(schemas['CreatePersonBodyDto']!['properties']).toMatchObject({
      role: { default: 'guest' },
      home: ref('Address'),
      age: { default: 18 },
    });
    expect(schemas['City']!['properties'].name).toEqual({ type: 'string', default: 'Rome' });
  });

  test('of a class in `dto`, whose name stays with POST; one without defaults keeps its own', async () => {
    class Change {
      @ApiPropertyOptional({ default: 'guest' }) role?: string;
    }
    const shared = await described({ dto: { create: Change, update: Change } });
    const plain = await described({ dto: { create: Change, update: Plain } });

    expect(shared.post).toEqual(ref('Change'));
    expect(shared.schemas['Change']!['properties'].role).toEqual({ type: 'string', default: 'guest' });
    expect(shared.patch).toEqual(ref('UpdatePersonBodyDto'));
    expect(shared.schemas['UpdatePersonBodyDto']).toEqual({ type: 'object', properties: { role: { type: 'string' } } });
    expect(plain.patch).toEqual(ref('Plain'));
  });

  test('of a PUT that merges', async () => {
    class Whole {
      @ApiProperty({ default: 'guest' }) role?: string;
    }
    const routes = { replaceOneBase: { merge: true } };
    const { schemas, put, patch } = await described({ routes, dto: { replace: Whole, update: Plain } });

    expect(put).toEqual(ref('ReplacePersonBodyDto'));
    expect(schemas['ReplacePersonBodyDto']!['properties']).toEqual({ role: { type: 'string' } });
    expect(patch).toEqual(ref('Plain'));
  });
});
