/** Bodies that Standard Schemas describe in, their schemas in a valid document out. */
import { afterAll, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Crud, type DtoOptions } from '../../src/index.js';
import * as v from 'valibot';
import { z } from 'zod';
import { MemoryService } from '../support/memory.service.js';
import { stopValidator, User, validate } from './fixture.js';

afterAll(stopValidator);

async function bodiesOf(dto: DtoOptions): Promise<Record<'post' | 'bulk' | 'patch', unknown>> {
  @Crud({ model: { type: User }, dto })
  @Controller('users')
  class UsersController {
    service = new MemoryService();
  }
  class AppModule {}
  const app = await NestFactory.create(
    { module: AppModule, controllers: [UsersController] },
    { logger: false, abortOnError: false },
  );
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  await validate(document);
  await validate({ ...document, openapi: '3.1.0' });
  await app.close();

  const bodyOf = (path: string, method: 'post' | 'patch'): unknown => {
    const body = document.paths[path]?.[method]?.requestBody as { content: Record<string, { schema: unknown }> };

    return body.content['application/json']?.schema;
  };

  return {
    post: bodyOf('/users', 'post'),
    bulk: bodyOf('/users/bulk', 'post'),
    patch: bodyOf('/users/{id}', 'patch'),
  };
}

test('the JSON schema of the input is shown, references put in', async () => {
  const city = z.object({ name: z.string() }).meta({ id: 'City' });
  const tree = z.object({
    id: z.string(),
    get kids() {
      return z.array(tree);
    },
  });
  const create = z.object({
    age: z.number().positive().nullable(),
    role: z.string().default('guest'),
    from: city,
    to: city,
    tree,
  });
  const { post, bulk, patch } = await bodiesOf({ create, update: create.partial() });

  const place = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const record = {
    type: 'object',
    properties: {
      age: { type: 'number', nullable: true, minimum: 0 },
      role: { type: 'string', default: 'guest' },
      from: place,
      to: place,
      tree: {
        type: 'object',
        properties: { id: { type: 'string' }, kids: { type: 'array', items: {} } },
        required: ['id', 'kids'],
      },
    },
    required: ['age', 'from', 'to', 'tree'],
  };
  expect(post).toEqual(record);
  expect(bulk).toEqual({
    type: 'object',
    required: ['bulk'],
    properties: { bulk: { type: 'array', minItems: 1, items: record } },
  });
  expect(patch).not.toHaveProperty('required');
});

test('where a schema cannot tell its JSON schema, any object is shown', async () => {
  const { post, patch } = await bodiesOf({
    create: v.object({ name: v.string() }),
    update: z.object({ at: z.date() }),
  });

  expect(post).toEqual({ type: 'object' });
  expect(patch).toEqual({ type: 'object' });
});
