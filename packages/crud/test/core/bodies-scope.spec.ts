/** What scopes write into bodies, over real HTTP: values of the path, `persist` and relations by their ids, before validation. */
import { expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Crud, CrudAuth } from '@nestwright/crud';
import { IsString } from 'class-validator';
import { describeApplications, start } from '../support/application.js';
import { options, sent, serve, Users } from './bodies.application.js';

class CreateUser {
  @IsString()
  name!: string;
}

describeApplications('scope of bodies', () => {
  const params = {
    companyId: { field: 'companyId', type: 'number' as const },
    id: { field: 'id', type: 'number' as const, primary: true },
  };
  const path = 'companies/:companyId/users';

  test('path values satisfy the rules and win, over nested relations too', async () => {
    const api = await serve({ params }, path);
    await api.post('/companies/1/users', { name: 'Bea', password: 'x' }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea', password: 'x', companyId: 1, role: 'guest' });
    await api.patch('/companies/1/users/1', { companyId: 'abc', company: { id: 2 }, id: 9 }).expect(200);
    expect(sent(api)).toEqual({ companyId: 1, company: { id: 1 }, id: 1 });
  });

  test('they are never cause of a whitelist error', async () => {
    const api = await serve(
      {
        params,
        dto: { create: CreateUser, update: CreateUser },
        validation: { whitelist: true, forbidNonWhitelisted: true },
      },
      path,
    );
    await api.post('/companies/1/users', { name: 'Bea' }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea', companyId: 1 });
    await api.patch('/companies/1/users/1', { name: 'Bea' }).expect(200);
    expect(sent(api)).toEqual({ name: 'Bea', companyId: 1, id: 1 });
  });

  test('allowParamsOverride without a value in the body keeps that of the path', async () => {
    const api = await serve({ params, routes: { updateOneBase: { allowParamsOverride: true } } }, path);
    await api.patch('/companies/1/users/1', { name: 'x' }).expect(200);
    expect(sent(api)).toEqual({ name: 'x', companyId: 1, id: 1 });
    await api.patch('/companies/1/users/1', { company: { id: 3 } }).expect(200);
    expect(sent(api)).toEqual({ company: { id: 3 }, companyId: 3, id: 1 });
  });

  test('a relation given by its id fills the foreign key before validation', async () => {
    const api = await serve();
    await api.post('/users', { name: 'Bea', password: 'x', company: { id: 4 } }).expect(201);
    expect(sent(api)).toMatchObject({ companyId: 4, company: { id: 4 } });
    await api.post('/users', { name: 'Bea', password: 'x', company: 5 }).expect(201);
    expect(sent(api)).toMatchObject({ companyId: 5 });
    await api.post('/users', { name: 'Bea', password: 'x', company: { id: 4 }, companyId: 6 }).expect(201);
    expect(sent(api)).toMatchObject({ companyId: 6 });
    await api.post('/users', { name: 'Bea', password: 'x', company: { name: 'new' } }).expect(400);
  });

  test('persist is merged last, over the path and what the client says', async () => {
    @Crud(options({ params, routes: { updateOneBase: { allowParamsOverride: true } } }))
    @CrudAuth({ persist: async () => ({ companyId: 7, name: 'Persisted' }) })
    @Controller(path)
    class UsersController {
      constructor(public service: Users) {}
    }

    const api = await start({ controllers: [UsersController], providers: [Users] });
    await api.post('/companies/1/users', { name: 'Bea', password: 'x', companyId: 3, company: { id: 3 } }).expect(201);
    expect(sent(api)).toEqual({ name: 'Persisted', password: 'x', companyId: 7, company: { id: 7 }, role: 'guest' });
    await api
      .post('/companies/1/users/bulk', { bulk: [{ password: 'x' }, { password: 'y', companyId: 1 }] })
      .expect(201);
    expect(sent(api)).toEqual({
      bulk: [
        { password: 'x', companyId: 7, name: 'Persisted', role: 'guest' },
        { password: 'y', companyId: 7, name: 'Persisted', role: 'guest' },
      ],
    });
  });
});
