/** The examples of `docs/services.md`, `docs/transactions.md` and `docs/own-routes.md` over real HTTP, and that the pages show exactly them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudController } from '@nestwright/crud';
import request from 'supertest';
import { type DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { ActiveUsersService } from './active-users.service.js';
import { BulkUsersController } from './bulk-users.controller.js';
import { CompaniesService } from './companies.service.js';
import { MembersController } from './members.controller.js';
import { MembersResolver } from './members.resolver.js';
import { MembersService } from './members.service.js';
import { Company, User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({ model: { type: User } })
@Controller('users')
class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}

@Crud({ model: { type: User }, query: { join: { company: {} } } })
@Controller('active-users')
class ActiveUsersController implements CrudController<User> {
  constructor(public service: ActiveUsersService) {}
}

@Crud({ model: { type: Company } })
@Controller('companies')
class CompaniesController implements CrudController<Company> {
  constructor(public service: CompaniesService) {}
}

describeDatabases('docs/services.md', (db) => {
  let app: INestApplication;
  let url: string;

  const emails = (records: unknown) => (records as User[]).map(({ email }) => email);

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Company, User], synchronize: true }),
        TypeOrmModule.forFeature([Company, User]),
      ],
      controllers: [
        UsersController,
        ActiveUsersController,
        CompaniesController,
        MembersController,
        BulkUsersController,
      ],
      providers: [UsersService, ActiveUsersService, CompaniesService, MembersService, MembersResolver],
    }).compile();

    ({ app, url } = await listen(module, 'express'));
    const { manager } = app.get<DataSource>(getDataSourceToken());

    await manager.insert(Company, { id: 1, name: 'Acme' });
    await manager.insert(User, [
      { id: 1, email: 'a@x', companyId: 1 },
      { id: 2, email: 'b@x', companyId: 1, isActive: false },
      { id: 3, email: 'c@x', companyId: 1 },
      { id: 4, email: 'd@x', companyId: 1, isActive: false },
    ]);
  });

  afterAll(() => app.close());

  test('a verb', async () => {
    const { body } = await request(url).delete('/users/1').expect(400);

    expect(body).toMatchObject({ message: 'An active user cannot be deleted', error: 'Bad Request' });
    await request(url).delete('/users/4').expect(200);
    await request(url).delete('/users/4').expect(404);
    expect(emails((await request(url).get('/users').expect(200)).body)).toEqual(['a@x', 'b@x', 'c@x']);
  });

  test('many records', async () => {
    const bulk = [
      { id: 1, note: 'one' },
      { id: 2, note: 'two' },
    ];
    const { body } = await request(url).patch('/bulk-users/bulk').send({ bulk }).expect(200);
    expect(body).toMatchObject(bulk);

    const missing = await request(url)
      .patch('/bulk-users/bulk')
      .send({ bulk: [{ id: 1, note: 'none' }, { id: 9 }] });
    expect([missing.status, missing.body]).toMatchObject([404, { message: 'bulk.1 User not found' }]);
    expect((await request(url).get('/bulk-users/1')).body).toMatchObject({ note: 'one' });
  });

  test('hooks', async () => {
    const page = await request(url).get('/active-users?join=company&limit=1&page=1').expect(200);

    expect(page.body).toMatchObject({ count: 1, total: 2, page: 1, pageCount: 2, hasMore: true });
    expect(page.body.data).toMatchObject([{ email: 'a@x', company: { id: 1, name: 'Acme' } }]);
    expect(emails((await request(url).get('/active-users')).body)).toEqual(['a@x', 'c@x']);

    await request(url).get('/active-users/2').expect(404);
    await request(url).patch('/active-users/2').send({ isActive: true }).expect(404);
    await request(url).put('/active-users/2').send({ email: 'z@x', companyId: 1 }).expect(404);
    await request(url).delete('/active-users/2').expect(404);
    expect((await request(url).get('/users/2').expect(200)).body).toMatchObject({ email: 'b@x', isActive: false });

    const { body } = await request(url).post('/active-users').send({ email: 'E@X', companyId: 1 }).expect(201);
    expect(body).toMatchObject({ email: 'e@x' });
    const bulk = ['F@X', 'G@X'].map((email) => ({ email, companyId: 1 }));
    const many = await request(url).post('/active-users/bulk').send({ bulk }).expect(201);
    expect(emails(many.body)).toEqual(['f@x', 'g@x']);
  });

  test('a verb in a transaction', async () => {
    const { manager } = app.get<DataSource>(getDataSourceToken());
    const left = (await manager.save(Object.assign(new Company(), { name: 'Left' }))).id;
    const gone = (await manager.save(Object.assign(new Company(), { name: 'Gone' }))).id;
    await manager.insert(User, [
      { email: 'left@x', companyId: left },
      { email: 'gone@x', companyId: left, isActive: false },
      { email: 'also-gone@x', companyId: gone, isActive: false },
    ]);

    expect((await request(url).delete(`/companies/${left}`).expect(409)).body).toMatchObject({
      code: 'CRUD_FOREIGN_KEY_VIOLATION',
    });
    await request(url).delete(`/companies/${gone}`).expect(200);
    await request(url).delete(`/companies/${gone}`).expect(404);

    expect(await manager.countBy(User, { companyId: left })).toBe(2);
    expect(await manager.countBy(User, { companyId: gone })).toBe(0);
  });

  test('a caller without an HTTP request', async () => {
    const { manager } = app.get<DataSource>(getDataSourceToken());
    const { id: companyId } = await manager.save(Object.assign(new Company(), { name: 'Jobs' }));
    const users = ['j1@x', 'j2@x', 'j3@x'].map((email) => Object.assign(new User(), { email, companyId }));
    const [first] = await manager.save(users);
    const members = app.get(MembersResolver);

    const page = await members.list(companyId, 2, 2);
    expect(page).toMatchObject({ data: [{ email: 'j3@x' }], count: 1, total: 3, page: 2, pageCount: 2 });
    expect(await members.note(companyId, first!.id, 'away')).toMatchObject({ id: first!.id, note: 'away' });
    await expect(members.note(1, first!.id, 'stolen')).rejects.toMatchObject({ status: 404 });
    expect(await manager.findOneBy(User, { id: first!.id })).toMatchObject({ note: 'away' });
  });

  describe('handlers of a controller’s own', () => {
    let company: number;
    let root: number;

    beforeAll(async () => {
      const { manager } = app.get<DataSource>(getDataSourceToken());
      company = (await manager.save(Object.assign(new Company(), { name: 'Members' }))).id;
      root = (await manager.save(Object.assign(new User(), { email: 'root@x', companyId: company }))).id;
    });

    const members = (path = '') => `/companies/${company}/members${path}`;

    test('one that calls the generated handler', async () => {
      for (const email of ['m1@x', 'm2@x', 'm3@x']) {
        const { body } = await request(url).post(members()).send({ email, note: 'mine' }).expect(201);
        expect(body).toMatchObject({ email, companyId: company, note: 'invited' });
      }
      await request(url).post(members()).send({ email: 'm1@x' }).expect(409);
    });

    test('one that counts what the request would list', async () => {
      const counted = async (query = '') =>
        (
          await request(url)
            .get(members(`/count${query}`))
            .expect(200)
        ).body;
      const [, last] = (await request(url).get(members('?sort=id')).expect(200)).body as User[];

      expect(await counted()).toEqual({ count: 3 });
      expect(await counted('?limit=1&page=2')).toEqual({ count: 3 });
      expect(await counted('?filter=email||$ne||m1@x')).toEqual({ count: 2 });
      expect(await counted('?filter=companyId||$gt||0&or=companyId||$gt||0')).toEqual({ count: 3 });
      await request(url)
        .delete(members(`/${last!.id}`))
        .expect(200);
      expect(await counted()).toEqual({ count: 2 });
      expect((await request(url).get(members('/count?filter=nothing||$eq||1')).expect(400)).body).toMatchObject({
        code: 'CRUD_UNKNOWN_FIELD',
      });
    });

    test('one that reads under the request’s scope', async () => {
      expect((await request(url).get(members('/emails?sort=id,DESC')).expect(200)).body).toEqual(['m3@x', 'm1@x']);
      expect((await request(url).get(members('/emails?limit=1&page=2&sort=id')).expect(200)).body).toEqual(['m3@x']);
      expect((await request(url).get('/companies/99/members/emails').expect(200)).body).toEqual([]);
    });

    test('one that writes under it in a transaction', async () => {
      const [first, second] = (await request(url).get(members('?sort=id')).expect(200)).body as User[];
      const deactivate = (id: number) => request(url).post(members(`/${id}/deactivate`));

      expect((await deactivate(second!.id).expect(201)).body).toMatchObject({ id: second!.id, isActive: false });
      await deactivate(root).expect(404);
      await deactivate(2).expect(404);
      await deactivate(first!.id).expect(201);

      await request(url)
        .delete(members(`/${first!.id}`))
        .expect(200);
      await app.get<DataSource>(getDataSourceToken()).manager.delete(User, { id: root });
      const refused = await deactivate(second!.id).expect(400);
      expect(refused.body).toMatchObject({ message: 'The first member stays active' });
    });
  });
});

test.each([
  ['services.md', './users.service.ts'],
  ['services.md', './active-users.service.ts'],
  ['transactions.md', './companies.service.ts'],
  ['own-routes.md', './members.service.ts'],
  ['own-routes.md', './members.controller.ts'],
  ['own-routes.md', './members.resolver.ts'],
])('docs/%s shows %s', (page, example) => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const code = text(example).replace(/^.*\n/, '');

  expect(text(`../../../../docs/${page}`)).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
});
