/** Classes of bodies, of the entity and in `dto`, and what the server fills in → what documents show of them, and require; PATCH without defaults. */
import { expect, test } from '@jest/globals';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, IsString, IsUUID, Length, ValidateNested } from 'class-validator';
import { catalog, column, documentOf, resource, type ResourceOptions } from './fixture.js';
import { bodyOf, type Json, list, nameOf, ref, schemas, shapeOf, TEXT, validate } from './reading.js';

test.each<[string, unknown, boolean]>([
  ['a column', (user: Json) => ({ companyId: user['team'].company.id as number }), true],
  ['a relation', (user: Json) => ({ company: { id: user['id'] as number } }), true],
  ['nothing, as it fails', () => Promise.reject(new Error('no database')), false],
  ['what an empty user lacks', (user: Json) => ({ companyId: [...(user['ids'] as number[])] }), false],
])('what `persist` sets need not be sent: %s', async (_, persist, isSet) => {
  const made = resource();
  Object.assign(made.definition, { auth: { property: 'user', persist } });
  expect(shapeOf(await documentOf([made]), 'CreateUserBodyDto')).toBe(
    `email password token? age? companyId${isSet ? '?' : ''} company? settings?`,
  );
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

class Joining {
  @ApiProperty() @IsString() team!: string;
  @ApiProperty() @IsString() name!: string;
}

class Renaming {
  @ApiProperty({ required: false }) @IsOptional() @IsString() team?: string;
  @ApiProperty() @IsString() name!: string;
}

const hasDefault = true;
const members = catalog(Member, [
  column('id', { primary: true, generated: true, hasDefault }),
  ...[column('team'), column('name'), ...['role', 'hint', 'motto'].map((path) => column(path, { hasDefault }))],
  column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault }),
]);
const OF_TEAM = {
  path: 'teams/:team/people',
  name: 'TeamController',
  params: { team: { field: 'team' }, id: { field: 'id', primary: true } },
};
const JOINING = { create: Joining, update: Renaming };

test.each<[string, ResourceOptions, ...bodies: string[]]>([
  [
    'rules without a group require what they demand',
    {},
    'post CreateMemberBodyDto: id? name role hint? motto team',
    'patch UpdateMemberBodyDto: id? name? role? hint? motto? team?',
  ],
  [
    'classes in dto that extend the entity show what can be set',
    { dto: { create: CreateMember } },
    'post CreateMemberBodyDto: id name role hint motto captcha',
  ],
  [
    'classes in dto are shown as they are',
    { dto: JOINING },
    'post Joining: team name',
    'put Joining: team name',
    'patch Renaming: team? name',
  ],
  [
    'classes in dto do not require what the path fills in',
    { dto: JOINING, ...OF_TEAM },
    'post TeamCreateMemberBodyDto: team? name',
    'put TeamReplaceMemberBodyDto: team? name',
    'patch Renaming: team? name',
  ],
])('%s', async (_, options, ...bodies) => {
  const path = `/${options.path ?? 'users'}`.replace(':team', '{team}');
  const document = await documentOf([resource({ model: { type: Member }, catalogOf: () => members, ...options })]);
  for (const body of bodies) {
    const [method] = body.split(' ') as [string];
    const name = nameOf(bodyOf(document, method === 'post' ? path : `${path}/{id}`, method));
    expect(`${method} ${name}: ${shapeOf(document, name)}`).toBe(body);
  }
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
      role: { required: true, type: () => String, default: 'guest', description: 'What for' },
    };
  }
}

async function described(options: ResourceOptions = {}) {
  const people = catalog(Person, [
    column('id', { kind: 'integer', primary: true, autoIncrement: true }),
    ...['role', 'age', 'home', 'others', 'plain'].map((path) => column(path, { hasDefault })),
  ]);
  const document = await documentOf([resource({ model: { type: Person }, catalogOf: () => people, ...options })]);
  await validate({ ...document, openapi: '3.1.0' });
  const [put, patch] = ['put', 'patch'].map((method) => bodyOf(document, '/users/{id}', method));
  return { schemas: schemas(document), post: bodyOf(document, '/users', 'post'), put: put!, patch: patch! };
}

test('a body of PATCH has no defaults of the entity, of its classes and of what the plugin notes', async () => {
  const { schemas, patch, post } = await described();
  expect(schemas['UpdatePersonBodyDto']!['properties']).toEqual({
    id: { type: 'integer', example: 1 },
    role: { type: 'string', enum: ['guest', 'owner'], description: 'What for' },
    home: ref('AddressPatchDto'),
    others: { ...list(ref('AddressPatchDto')), nullable: true },
    plain: ref('Plain'),
    age: { type: 'number' },
  });
  const raw = { type: 'object', properties: { default: TEXT }, additionalProperties: false };
  expect(schemas['AddressPatchDto']!['properties']).toEqual({ city: ref('CityPatchDto'), lines: list(TEXT), raw });
  expect(schemas['CityPatchDto']!['properties']).toEqual({ name: TEXT, twins: list(ref('CityPatchDto')) });
  // POST keeps them.
  expect([post, patch]).toEqual([ref('CreatePersonBodyDto'), ref('UpdatePersonBodyDto')]);
  const kept = { role: { default: 'guest' }, home: ref('Address'), age: { default: 18 } };
  expect(schemas['CreatePersonBodyDto']!['properties']).toMatchObject(kept);
  expect(schemas['City']!['properties'].name).toEqual({ ...TEXT, default: 'Rome' });
});

class Extra {}

@ApiExtraModels(Extra)
class PartDto {
  @ApiProperty({ default: 'x' }) @Length(2) code!: string;
}

class Change {
  @ApiPropertyOptional({ default: 'guest' }) role?: string;
  @ApiPropertyOptional() note?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => PartDto) parts!: PartDto[];
}

test('a body of PATCH has no defaults of a class in `dto` and of its parts, whose names stay with POST', async () => {
  const { schemas, post, patch } = await described({ dto: { create: Change, update: Change } });
  expect([post, patch]).toEqual([ref('Change'), ref('UpdatePersonBodyDto')]);
  expect(schemas['Change']!['properties'].role).toEqual({ ...TEXT, default: 'guest' });
  const parts = list(ref('PartPatchDto'));
  expect(schemas['UpdatePersonBodyDto']!['properties']).toEqual({ role: TEXT, note: TEXT, parts });
  expect(schemas['PartPatchDto']!['properties']).toEqual({ code: { ...TEXT, minLength: 2 } });
  expect(schemas).toHaveProperty('Extra');
});

test('a body of PATCH has no defaults of a PUT that merges; a class without defaults keeps its name', async () => {
  const routes = { replaceOneBase: { merge: true } };
  const { schemas, put, patch } = await described({ routes, dto: { replace: Change, update: Plain } });
  expect([put, patch]).toEqual([ref('ReplacePersonBodyDto'), ref('Plain')]);
  expect(schemas['ReplacePersonBodyDto']!['properties'].role).toEqual(TEXT);
});
