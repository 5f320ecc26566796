/** The library as it is where no optional peer is installed: controllers are described by nothing and records are sent as they are. */
import 'reflect-metadata';
import { expect, jest, test } from '@jest/globals';

jest.unstable_mockModule('../../src/nest/optional-peers.js', () => ({
  swagger: undefined,
  useSwagger: () => false,
  classTransformer: undefined,
  classTransformerStorages: [],
  classValidator: undefined,
  csvStringify: undefined,
}));

const { applyOpenApi } = await import('../../src/openapi/apply.js');
const { serialize, serializeResponse } = await import('../../src/serialization/index.js');

class User {
  when = new Date(0);
}

test('handlers keep what they have', () => {
  class UsersController {
    getManyBase(): void {}
  }
  applyOpenApi(UsersController, 'getManyBase', {} as never);

  expect(Reflect.getMetadataKeys(UsersController.prototype.getManyBase)).toEqual([]);
});

test('records are sent as they are, dates as ISO text', () => {
  const user = new User();
  const definition = { model: User, serialize: {} } as never;

  expect(serialize(user, User)).toBe(user);
  expect(serializeResponse([user], definition, 'getManyBase')).toEqual([user]);
  expect(JSON.stringify(serialize(user, User))).toBe('{"when":"1970-01-01T00:00:00.000Z"}');
});
