/** The examples of `docs/services.md`, `docs/transactions.md` and `docs/own-routes.md` over real HTTP, and that the pages show exactly them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Controller, Inject, type Type } from '@nestjs/common';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { serving } from '../support/serving.js';
import { ActiveUsersService } from './active-users.service.js';
import { BulkUsersController } from './bulk-users.controller.js';
import { CompaniesService } from './companies.service.js';
import { MembersController } from './members.controller.js';
import { MembersResolver } from './members.resolver.js';
import { MembersService } from './members.service.js';
import { Company, User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** A resource with a service of the page. */
function resourceOf(path: string, type: Type, service: Type, query: CrudOptions['query'] = {}): Type {
  @Crud({ model: { type }, query })
  @Controller(path)
  class Resource {
    constructor(@Inject(service) readonly service: never) {}
  }
  return Resource;
}

const JOIN = { join: { company: {} } };
const RESOURCES = [
  { controller: resourceOf('users', User, UsersService), provider: UsersService },
  { controller: resourceOf('active-users', User, ActiveUsersService, JOIN), provider: ActiveUsersService },
  { controller: resourceOf('companies', Company, CompaniesService), provider: CompaniesService },
  { controller: MembersController, provider: MembersService },
  { controller: BulkUsersController, provider: MembersResolver },
];

const emails = (records: unknown) => (records as User[]).map(({ email }) => email);

describeDatabases('docs/services.md', (db) => {
  const app = serving(db, [Company, User], RESOURCES, {
    fill: async ({ manager }) => {
      await manager.insert(Company, { id: 1, name: 'Acme' });
      const users = ['a@x', 'b@x', 'c@x', 'd@x'].map((email, at) => ({ email, companyId: 1, isActive: at % 2 === 0 }));
      for (const [at, user] of users.entries()) await manager.insert(User, { id: at + 1, ...user });
    },
  });
  const { send, statusOf, read } = app;

  /** Stores a company with its users, and tells its key. */
  const makeCompany = async (name: string, users: Partial<User>[]) => {
    const { id } = await app.source.manager.save(Object.assign(new Company(), { name }));
    for (const user of users) await app.source.manager.insert(User, { ...user, companyId: id });
    return id;
  };

  test('a verb', async () => {
    const refused = { message: 'An active user cannot be deleted', error: 'Bad Request' };
    expect(await send('delete', '/users/1')).toMatchObject({ status: 400, body: refused });
    expect([await statusOf('delete', '/users/4'), await statusOf('delete', '/users/4')]).toEqual([200, 404]);
    expect(emails(await read('/users'))).toEqual(['a@x', 'b@x', 'c@x']);
  });

  test('many records', async () => {
    const bulk = ['one', 'two'].map((note, at) => ({ id: at + 1, note }));
    expect(await send('patch', '/bulk-users/bulk', { bulk })).toMatchObject({ status: 200, body: bulk });
    const partly = { bulk: [{ id: 1, note: 'none' }, { id: 9 }] };
    const refused = { status: 404, body: { message: 'bulk.1 User not found' } };
    expect(await send('patch', '/bulk-users/bulk', partly)).toMatchObject(refused);
    expect(await read('/bulk-users/1')).toMatchObject({ note: 'one' });
  });

  test('hooks', async () => {
    const page = await read('/active-users?join=company&limit=1&page=1');
    expect(page).toMatchObject({ count: 1, total: 2, page: 1, pageCount: 2, hasMore: true });
    expect(page.data).toMatchObject([{ email: 'a@x', company: { id: 1, name: 'Acme' } }]);
    expect(emails(await read('/active-users'))).toEqual(['a@x', 'c@x']);
    for (const [method, body] of [
      ['get', undefined],
      ['patch', { isActive: true }],
      ['put', { email: 'z@x', companyId: 1 }],
      ['delete', undefined],
    ] as const)
      expect([method, await statusOf(method, '/active-users/2', body)]).toEqual([method, 404]);
    expect(await read('/users/2')).toMatchObject({ email: 'b@x', isActive: false });
    const { body } = await send('post', '/active-users', { email: 'E@X', companyId: 1 });
    expect(body).toMatchObject({ email: 'e@x' });
    const bulk = ['F@X', 'G@X'].map((email) => ({ email, companyId: 1 }));
    expect(emails((await send('post', '/active-users/bulk', { bulk })).body)).toEqual(['f@x', 'g@x']);
  });

  test('a verb in a transaction', async () => {
    const left = await makeCompany('Left', [{ email: 'left@x' }, { email: 'gone@x', isActive: false }]);
    const gone = await makeCompany('Gone', [{ email: 'also-gone@x', isActive: false }]);
    const refused = { status: 409, body: { code: 'CRUD_FOREIGN_KEY_VIOLATION' } };
    expect(await send('delete', `/companies/${left}`)).toMatchObject(refused);
    for (const status of [200, 404]) expect(await statusOf('delete', `/companies/${gone}`)).toBe(status);
    expect(await app.source.manager.countBy(User, { companyId: left })).toBe(2);
    expect(await app.source.manager.countBy(User, { companyId: gone })).toBe(0);
  });

  test('a caller without an HTTP request', async () => {
    const companyId = await makeCompany('Jobs', [{ email: 'j1@x' }, { email: 'j2@x' }, { email: 'j3@x' }]);
    const { id } = await app.source.manager.findOneByOrFail(User, { email: 'j1@x' });
    const members = app.app.get(MembersResolver);
    const page = await members.list(companyId, 2, 2);
    expect(page).toMatchObject({ data: [{ email: 'j3@x' }], count: 1, total: 3, page: 2, pageCount: 2 });
    expect(await members.note(companyId, id, 'away')).toMatchObject({ id, note: 'away' });
    await expect(members.note(1, id, 'stolen')).rejects.toMatchObject({ status: 404 });
    expect(await app.source.manager.findOneBy(User, { id })).toMatchObject({ note: 'away' });
  });

  test('handlers of a controller’s own: one that calls the generated handler, and others under the request’s scope', async () => {
    const company = await makeCompany('Members', [{ email: 'root@x' }]);
    const { id: root } = await app.source.manager.findOneByOrFail(User, { email: 'root@x' });
    const members = (path = '') => `/companies/${company}/members${path}`;
    for (const email of ['m1@x', 'm2@x', 'm3@x']) {
      const { body } = await send('post', members(), { email, note: 'mine' });
      expect(body).toMatchObject({ email, companyId: company, note: 'invited' });
    }
    expect(await statusOf('post', members(), { email: 'm1@x' })).toBe(409);
    for (const [query, count] of [
      ['', 3],
      ['?limit=1&page=2', 3],
      ['?filter=email||$ne||m1@x', 2],
      ['?filter=companyId||$gt||0&or=companyId||$gt||0', 3],
    ] as const)
      expect([query, await read(members(`/count${query}`))]).toEqual([query, { count }]);
    const unknown = { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD' } };
    expect(await send('get', members('/count?filter=nothing||$eq||1'))).toMatchObject(unknown);
    const [first, second, third] = (await read(members('?sort=id'))) as [User, User, User];
    expect(await statusOf('delete', members(`/${second.id}`))).toBe(200);
    expect(await read(members('/emails?sort=id,DESC'))).toEqual(['m3@x', 'm1@x']);
    expect(await read(members('/emails?limit=1&page=2&sort=id'))).toEqual(['m3@x']);
    expect(await read('/companies/99/members/emails')).toEqual([]);
    const deactivate = (id: number) => send('post', members(`/${id}/deactivate`));
    expect(await deactivate(third.id)).toMatchObject({ status: 201, body: { id: third.id, isActive: false } });
    for (const id of [root, 2]) expect((await deactivate(id)).status).toBe(404);
    expect((await deactivate(first.id)).status).toBe(201);
    await send('delete', members(`/${first.id}`));
    await app.source.manager.delete(User, { id: root });
    const stays = { status: 400, body: { message: 'The first member stays active' } };
    expect(await deactivate(third.id)).toMatchObject(stays);
  });
});

test.each([
  ...['users', 'active-users'].map((name) => ['services.md', `./${name}.service.ts`]),
  ['transactions.md', './companies.service.ts'],
  ...['service', 'controller', 'resolver'].map((kind) => ['own-routes.md', `./members.${kind}.ts`]),
] as [string, string][])('docs/%s shows %s', (page, example) => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const code = text(example).replace(/^.*\n/, '');
  expect(text(`../../../../docs/${page}`)).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
});
