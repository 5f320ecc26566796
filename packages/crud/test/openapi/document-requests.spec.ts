/** What documents say of the bodies and parameters of requests. */
import { expect, test } from '@jest/globals';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, IsString, IsUUID, Length, ValidateNested } from 'class-validator';
import type { Catalog } from '../../src/plan/catalog.js';
import { catalog, column, Company, documentOf, makeUserCatalog, resource, type ResourceOptions } from './fixture.js';
import { User } from './fixture.js';
import { at, bodyOf, type Json, parameter, ref, requiredBy, schemas, shownBy } from './reading.js';
import { validate } from './reading.js';

test('the model loses what the server fills in; PATCH demands nothing, bulk wraps the body of POST', async () => {
  const document = await documentOf([resource()]);
  const bodies = ['CreateUserBodyDto', 'UpdateUserBodyDto', 'ReplaceUserBodyDto'];
  const required = ['email', 'password', 'companyId'];
  expect(at(document, '/users', 'post')['requestBody']).toMatchObject({ required: true });
  expect(bodyOf(document, '/users', 'post')).toEqual(ref('CreateUserBodyDto'));
  expect(shownBy(document, 'CreateUserBodyDto').join()).toBe('email,password,token,age,companyId,company,settings');
  expect(bodies.map((name) => requiredBy(document, name))).toEqual([required, undefined, required]);
  expect(bodyOf(document, '/users/bulk', 'post')).toEqual(ref('CreateManyUserDto'));
  const bulk = { type: 'array', minItems: 1, items: ref('CreateUserBodyDto') };
  expect(schemas(document)['CreateManyUserDto']).toMatchObject({ properties: { bulk } });
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
  const shown = [bodyOf(document, '/users', 'post'), bodyOf(document, '/users/{id}', 'put')];
  expect(shown).toEqual([ref('Company'), ref('Company')]);
  expect(schemas(document)['CreateManyUserDto']!['properties'].bulk.items).toEqual(ref('Company'));
});

class Member {
  @ApiProperty() @IsUUID() id!: string;
  @ApiProperty() @IsString() name!: string;
  @ApiProperty() @IsString() role!: string;
  @ApiProperty() @IsOptional() @IsString() hint!: string;
  @ApiProperty() @IsOptional() @IsString({ always: true }) motto!: string;
  @ApiProperty() createdAt!: Date;
}

class CreateMember extends Member {
  @ApiProperty() @IsString() captcha!: string;
}

const id = column('id', { primary: true, generated: true, hasDefault: true });
const model = { type: Member };
const nameOf = (document: unknown, path: string, method: string) =>
  (bodyOf(document, path, method)['$ref'] as string).split('/').pop()!;

test.each<[string, Pick<ResourceOptions, 'dto'>, string[] | undefined]>([
  ['and classes in dto that extend the entity, show what can be set', { dto: { create: CreateMember } }, undefined],
  ['require what they demand', {}, ['motto', 'name', 'role']],
])('rules without a group %s', async (_, options, required) => {
  const members = catalog(Member, [
    ...[id, column('name'), ...['role', 'hint', 'motto'].map((path) => column(path, { hasDefault: true }))],
    column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault: true }),
  ]);
  const document = await documentOf([resource({ model, catalogOf: () => members, ...options })]);
  const [created, replaced] = [nameOf(document, '/users', 'post'), nameOf(document, '/users/{id}', 'put')];
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

  const members = catalog(Member, [id, column('team'), column('name')]);
  const options = { model, dto: { create: Joining, update: Renaming }, catalogOf: () => members };
  const params = { team: { field: 'team' }, id: { field: 'id', primary: true } };
  const document = await documentOf([
    resource({ ...options, path: 'people', name: 'PeopleController' }),
    resource({ ...options, path: 'teams/:team/people', name: 'TeamController', params }),
  ]);
  const required = (path: string, method: string) => {
    const name = nameOf(document, path, method);
    return [name, ...requiredBy(document, name)!].join(' ');
  };
  expect([required('/people', 'post'), required('/teams/{team}/people', 'post')]).toEqual([
    ...['Joining team name', 'TeamCreateMemberBodyDto name'],
  ]);
  expect(['put', 'patch'].map((method) => required('/teams/{team}/people/{id}', method))).toEqual([
    ...['TeamReplaceMemberBodyDto name', 'Renaming name'],
  ]);
});

const listOf = async (options: ResourceOptions = {}) => at(await documentOf([resource(options)]), '/users', 'get');

test('query parameters carry the names that clients may use, and no hidden one', async () => {
  const list = await listOf({ query: { exclude: ['password'], join: { company: { exclude: ['secret'] } } } });
  const items = { enum: ['id', 'email', 'age', 'companyId', 'settings', 'createdAt'] };
  expect(parameter(list, 'fields')).toMatchObject({ style: 'form', explode: false, schema: { type: 'array', items } });
  expect(parameter(list, 'sort')['schema'].items).toEqual({
    type: 'string',
    pattern: '^((id|email|age|companyId|createdAt)|(company)\\.(id|name))(,([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$',
  });
  expect(parameter(list, 'sort')['description']).toContain(
    ' Fields: `id`, `email`, `age`, `companyId`, `createdAt`, `company.id`, `company.name`.',
  );
  expect(JSON.stringify(list)).not.toMatch(/password|token|secret/);
});

test('names come with the catalog, at the time the document is built', async () => {
  const known: Catalog[] = [];
  const late = resource({ catalogOf: () => known[0] });
  const fields = async () => parameter(at(await documentOf([late]), '/users', 'get'), 'fields')['schema'].items as Json;
  expect(await fields()).toEqual({ type: 'string' });
  known.push(makeUserCatalog());
  expect((await fields())['enum']).toContain('email');
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
    ...(options.only ? {} : { post: bodyOf(document, '/users', 'post'), put: bodyOf(document, '/users/{id}', 'put') }),
    patch: bodyOf(document, '/users/{id}', 'patch'),
  };
}

test('a body of PATCH has no defaults of the entity, of its classes and of what the plugin notes', async () => {
  const { schemas, patch, post } = await described();
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
  const raw = { type: 'object', properties: { default: { type: 'string' } }, additionalProperties: false };
  expect(schemas['AddressPatchDto']).toEqual({
    type: 'object',
    properties: { city: ref('CityPatchDto'), lines: { type: 'array', items: { type: 'string' } }, raw },
    required: ['city', 'lines', 'raw'],
  });
  const twins = { type: 'array', items: ref('CityPatchDto') };
  expect(schemas['CityPatchDto']!['properties']).toEqual({ name: { type: 'string' }, twins });
  // POST keeps them.
  expect([post, patch]).toEqual([ref('CreatePersonBodyDto'), ref('UpdatePersonBodyDto')]);
  const kept = { role: { default: 'guest' }, home: ref('Address'), age: { default: 18 } };
  expect(schemas['CreatePersonBodyDto']!['properties']).toMatchObject(kept);
  expect(schemas['City']!['properties'].name).toEqual({ type: 'string', default: 'Rome' });
});

test('a body of PATCH has no defaults of a class in `dto`, whose name stays with POST; one without defaults keeps its own', async () => {
  class Change {
    @ApiPropertyOptional({ default: 'guest' }) role?: string;
  }

  const shared = await described({ dto: { create: Change, update: Change } });
  const plain = await described({ dto: { create: Change, update: Plain } });
  expect([shared.post, shared.patch, plain.patch]).toEqual([ref('Change'), ref('UpdatePersonBodyDto'), ref('Plain')]);
  expect(shared.schemas['Change']!['properties'].role).toEqual({ type: 'string', default: 'guest' });
  expect(shared.schemas['UpdatePersonBodyDto']).toEqual({ type: 'object', properties: { role: { type: 'string' } } });
});

test('a body of PATCH has no defaults of nested classes with rules, whose other models it has', async () => {
  class Extra {}

  @ApiExtraModels(Extra)
  class PartDto {
    @ApiProperty({ default: 'x' }) @Length(2) code!: string;
  }

  class Change {
    @ValidateNested() @Type(() => PartDto) part!: PartDto;
    @ValidateNested({ each: true }) @Type(() => PartDto) parts!: PartDto[];
  }

  const { schemas, patch } = await described({ only: ['updateOneBase'], dto: { update: Change } });
  const part = ref('PartPatchDto');
  expect(schemas[patch['$ref'].split('/').at(-1)]).toEqual({
    type: 'object',
    properties: { part, parts: { type: 'array', items: part } },
  });
  expect(schemas['PartPatchDto']!['properties']).toEqual({ code: { type: 'string', minLength: 2 } });
  expect(schemas).toHaveProperty('Extra');
});

test('a body of PATCH has no defaults of a PUT that merges', async () => {
  class Whole {
    @ApiProperty({ default: 'guest' }) role?: string;
  }

  const routes = { replaceOneBase: { merge: true } };
  const { schemas, put, patch } = await described({ routes, dto: { replace: Whole, update: Plain } });
  expect([put, patch]).toEqual([ref('ReplacePersonBodyDto'), ref('Plain')]);
  expect(schemas['ReplacePersonBodyDto']!['properties']).toEqual({ role: { type: 'string' } });
});
