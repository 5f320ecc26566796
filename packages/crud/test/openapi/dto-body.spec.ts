/** Bodies in a document, held to what is taken from them: columns of a class in `dto` that no body can set are not shown, and rules without a group demand what they demand. */
import { expect, test } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID } from 'class-validator';
import { catalog, column, documentOf, type Json, resource, type ResourceOptions, validate } from './fixture.js';

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

async function bodies(options: ResourceOptions): Promise<(method: string, path?: string) => Json> {
  const people = catalog(Person, [
    column('id', { primary: true, generated: true, hasDefault: true }),
    column('name'),
    ...['role', 'hint', 'motto'].map((path) => column(path, { hasDefault: true })),
    column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault: true }),
  ]);
  const document = (await documentOf([
    resource({ model: { type: Person }, catalogOf: () => people, ...options }),
  ])) as Json;
  await validate(document as never);

  return (method, path = '/users') => {
    const { $ref } = document['paths'][path][method].requestBody.content['application/json'].schema as { $ref: string };

    return document['components'].schemas[$ref.split('/').pop()!] as Json;
  };
}

test('a class that extends the entity shows what can be set', async () => {
  const bodyOf = await bodies({ dto: { create: CreatePerson } });

  for (const body of [bodyOf('post'), bodyOf('put', '/users/{id}')]) {
    expect(Object.keys(body['properties'] as Json).toSorted()).toEqual([
      'captcha',
      'hint',
      'id',
      'motto',
      'name',
      'role',
    ]);
  }
});

test('a body of the model requires what rules without a group demand', async () => {
  const bodyOf = await bodies({});

  expect((bodyOf('post')['required'] as string[]).toSorted()).toEqual(['motto', 'name', 'role']);
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
  const columns = [column('id', { primary: true, generated: true, hasDefault: true }), column('team'), column('name')];
  const members = catalog(Person, columns);
  const model = { type: Person };
  const dto = { create: Joining, update: Renaming };
  const params = { team: { field: 'team' }, id: { field: 'id', primary: true } };
  const document = (await documentOf([
    resource({ model, dto, catalogOf: () => members, path: 'people', name: 'PeopleController' }),
    resource({ model, dto, catalogOf: () => members, path: 'teams/:team/people', name: 'TeamController', params }),
  ])) as Json;
  const required = (path: string, method: string): [name: string, required: string[]] => {
    const { $ref } = document['paths'][path][method].requestBody.content['application/json'].schema as { $ref: string };
    const name = $ref.split('/').pop()!;

    return [name, document['components'].schemas[name].required as string[]];
  };

  expect(required('/people', 'post')).toEqual(['Joining', ['team', 'name']]);
  expect(required('/teams/{team}/people', 'post')).toEqual(['TeamCreatePersonBodyDto', ['name']]);
  expect(required('/teams/{team}/people/{id}', 'put')).toEqual(['TeamReplacePersonBodyDto', ['name']]);
  expect(required('/teams/{team}/people/{id}', 'patch')).toEqual(['Renaming', ['name']]);
  await validate(document as never);
});
