/** The first example of `docs/testing.md`. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

let app: INestApplication<App>;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({ type: 'sqljs', entities: [User], synchronize: true }),
      TypeOrmModule.forFeature([User]),
    ],
    controllers: [UsersController],
    providers: [UsersService],
  }).compile();

  app = module.createNestApplication<INestApplication<App>>();
  await app.init();
});

afterAll(() => app.close());

test('a user is stored and found', async () => {
  await request(app.getHttpServer()).post('/users').send({ email: 'ada@example.com' }).expect(201);

  const { body } = await request(app.getHttpServer())
    .get('/users')
    .query({ filter: 'email||starts||ada' });

  expect(body).toEqual([{ id: 1, email: 'ada@example.com', isActive: true }]);
});

test('two users cannot have one address', async () => {
  const { body } = await request(app.getHttpServer())
    .post('/users')
    .send({ email: 'ada@example.com' })
    .expect(409);

  expect(body).toMatchObject({ code: 'CRUD_UNIQUE_VIOLATION', field: 'email' });
});
