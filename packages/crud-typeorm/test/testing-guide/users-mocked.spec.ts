/** The second example of `docs/testing.md`. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

const verb = jest.fn((_request: unknown) => Promise.resolve({ id: 7, email: 'ada@example.com' }));
const service = {
  getMany: verb,
  getOne: verb,
  createOne: verb,
  createMany: verb,
  updateOne: verb,
  replaceOne: verb,
  deleteOne: verb,
};

let app: INestApplication<App>;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    controllers: [UsersController],
    providers: [UsersService],
  })
    .overrideProvider(UsersService)
    .useValue(service)
    .compile();

  app = module.createNestApplication<INestApplication<App>>();
  await app.init();
});

afterAll(() => app.close());

test('a body that is no user does not reach the service', async () => {
  await request(app.getHttpServer()).post('/users').send({ email: 'no address' }).expect(400);

  expect(verb).not.toHaveBeenCalled();
});

test('the service is given what was asked', async () => {
  await request(app.getHttpServer()).get('/users/7').query({ fields: 'email' }).expect(200);

  expect(verb).toHaveBeenCalledWith(
    expect.objectContaining({ parsed: expect.objectContaining({ fields: ['email'] }) }),
  );
});
