/** Standard Schemas where no optional peer is installed: bodies are validated all the same, and errors are shaped as ever. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { z } from 'zod';

jest.unstable_mockModule('../../src/nest/optional-peers.js', () => ({
  swagger: undefined,
  useSwagger: () => false,
  classTransformer: undefined,
  classTransformerStorages: [],
  classValidator: undefined,
  csvStringify: undefined,
}));

const { BodyReader } = await import('../../src/validation/body-reader.js');
const { bodyRulesOf } = await import('../../src/validation/body-rules.js');
const { bareDefinition } = await import('../../src/definition/bare-definition.js');

class User {}

test('a body is validated by its schema', async () => {
  const dto = { create: z.object({ name: z.string().trim() }) };
  const rules = bodyRulesOf({ ...bareDefinition(), model: User, dto, validation: {} }, 'createOneBase');
  if (!rules) throw new Error('POST has a body');
  const reader = new BodyReader(rules);

  await expect(reader.read({ name: ' Ada ', hacker: 1 })).resolves.toEqual({ name: 'Ada' });

  const refused: unknown = await reader.read({}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HttpException);
  expect((refused as HttpException).getResponse()).toEqual({
    statusCode: 400,
    error: 'Bad Request',
    message: ['name Invalid input: expected string, received undefined'],
    code: 'CRUD_INVALID_BODY',
    field: 'name',
  });
});
