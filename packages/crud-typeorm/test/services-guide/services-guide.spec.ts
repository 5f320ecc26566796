/** The examples of `docs/services.md`, `docs/transactions.md` and `docs/own-routes.md` over real HTTP, and that the pages show exactly them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Controller, Inject, type Type } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Exchange, expectAnswers, serving } from '../support/serving.js';
import { ActiveUsersService } from './active-users.service.js';
import { CompaniesService } from './companies.service.js';
import { MembersController } from './members.controller.js';
import { MembersResolver } from './members.resolver.js';
import { MembersService } from './members.service.js';
import { Company, User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** A resource with a service of the page. */
function resourceOf(path: string, type: Type, provider: Type): { controller: Type; provider: Type } {
  @Crud({ model: { type } })
  @Controller(path)
  class Resource {
    constructor(@Inject(provider) readonly service: never) {}
  }
  return { controller: Resource, provider };
}

/** For providers that no resource has. */
@Controller()
class None {}

const RESOURCES = [
  resourceOf('users', User, UsersService),
  resourceOf('active-users', User, ActiveUsersService),
  resourceOf('companies', Company, CompaniesService),
  { controller: MembersController, provider: MembersService },
  { controller: None, provider: MembersResolver },
];

const has = (part: object): unknown => expect.objectContaining(part);

describeDatabases('docs/services.md', (db) => {
  const app = serving(db, [Company, User], RESOURCES, {
    fill: async ({ manager }) => {
      for (const [at, name] of ['Acme', 'Gone', 'Members'].entries())
        await manager.insert(Company, { id: at + 1, name });
      const users = { 'a@x': 1, 'b@x': 1, 'c@x': 1, 'gone@x': 2, 'root@x': 3, 'j1@x': 3, 'j2@x': 3 };
      for (const [at, [email, companyId]] of Object.entries(users).entries())
        await manager.insert(User, { id: at + 1, email, companyId, isActive: email !== 'b@x' && email !== 'gone@x' });
    },
  });
  const inOrder = (exchanges: Exchange[]) => expectAnswers(app, exchanges);

  test('services that override a verb, or a step of one', async () => {
    const email = 'e@x';
    await inOrder([
      ['delete', '/users/1', undefined, 400, has({ message: 'An active user cannot be deleted' })],
      ['get', '/active-users?limit=1&page=1', undefined, 200, has({ data: [has({ id: 1 })], total: 5, hasMore: true })],
      ['get', '/active-users/2', undefined, 404, has({})],
      ['patch', '/active-users/2', { isActive: true }, 404, has({})],
      ['delete', '/users/2', undefined, 200, has({})],
      ['post', '/active-users', { email: 'E@X', companyId: 1 }, 201, has({ email })],
      ['post', '/active-users/bulk', { bulk: [{ email: 'F@X', companyId: 1 }] }, 201, [has({ email: 'f@x' })]],
    ]);
  });

  test('a verb in a transaction', async () => {
    const { manager } = app.source;
    await manager.insert(User, { email: 'idle@x', companyId: 1, isActive: false });
    await inOrder([
      ['delete', '/companies/1', undefined, 409, has({ code: 'CRUD_FOREIGN_KEY_VIOLATION' })],
      ['delete', '/companies/2', undefined, 200, has({})],
    ]);
    expect(await manager.countBy(User, { email: 'idle@x' })).toBe(1);
    expect(await manager.countBy(User, { companyId: 2 })).toBe(0);
  });

  test('a caller without an HTTP request', async () => {
    const members = app.app.get(MembersResolver);
    expect(await members.list(3, 2, 2)).toMatchObject({ data: [{ email: 'j2@x' }], total: 3, page: 2 });
    expect(await members.note(3, 6, 'away')).toMatchObject({ id: 6, note: 'away' });
    await expect(members.note(1, 6, 'stolen')).rejects.toMatchObject({ status: 404 });
  });

  test('own handlers: one calls the generated handler, others keep to the scope of the request', async () => {
    const at = '/companies/3/members';
    const refused = has({ message: 'The first member stays active' });
    await inOrder([
      ['post', at, { email: 'm@x', note: 'mine' }, 201, has({ email: 'm@x', companyId: 3, note: 'invited' })],
      ['get', `${at}/count?limit=1&page=2`, undefined, 200, { count: 3 }],
      ['get', `${at}/count?filter=companyId||$gt||0&or=email||$ne||m@x`, undefined, 200, { count: 3 }],
      ['get', `${at}/count?filter=nothing||$eq||1`, undefined, 400, has({ code: 'CRUD_UNKNOWN_FIELD' })],
      ['get', `${at}/emails?limit=1&page=2&sort=id,DESC`, undefined, 200, ['j2@x']],
      ['get', '/companies/99/members/emails', undefined, 200, []],
      ['post', `${at}/7/deactivate`, undefined, 201, has({ id: 7, isActive: false })],
      // Out of scope by its address, and of another company.
      ['post', `${at}/5/deactivate`, undefined, 404, has({})],
      ['post', `${at}/1/deactivate`, undefined, 404, has({})],
    ]);
    await app.source.manager.delete(User, { email: 'root@x' });
    await inOrder([['post', `${at}/6/deactivate`, undefined, 400, refused]]);
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
