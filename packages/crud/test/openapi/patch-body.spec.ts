/** Bodies of PATCH with defaults in their classes and schemas → a document that names none of them, since what such a body leaves out is left alone. */
import { describe, expect, test } from '@jest/globals';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  bodyOf,
  catalog,
  column,
  documentOf,
  ref,
  resource,
  type ResourceOptions,
  schemas as schemasOf,
  validate,
} from './fixture.js';

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
    schemas: schemasOf(document),
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
