/** What scopes write into bodies, over real HTTP: values of the path, `persist` and relations by their ids, before validation. */
import { expect, test } from '@jest/globals';
import { CrudAuth } from '@nestwright/crud';
import { IsString } from 'class-validator';
import { describeApplications } from '../support/application.js';
import { given, sent, serve } from './bodies.application.js';

class CreateUser {
  @IsString() name!: string;
}

describeApplications('scope of bodies', () => {
  const params = {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  } as const;
  const path = 'companies/:companyId/users';

  test('path values satisfy the rules and win, over nested relations too', async () => {
    const api = await serve({ params }, path);
    await api.post('/companies/1/users', { name: 'Bea', password: 'x' }).expect(201);
    expect(sent(api)).toEqual({ name: 'Bea', password: 'x', companyId: 1, role: 'guest' });
    await api.patch('/companies/1/users/1', { companyId: 'abc', company: { id: 2 }, id: 9 }).expect(200);
    expect(sent(api)).toEqual({ companyId: 1, company: { id: 1 }, id: 1 });
  });

  test('they are never cause of a whitelist error', async () => {
    const validation = { whitelist: true, forbidNonWhitelisted: true };
    const api = await serve({ params, dto: { create: CreateUser, update: CreateUser }, validation }, path);
    expect(await given(api, api.post('/companies/1/users', { name: 'Bea' }))).toEqual({ name: 'Bea', companyId: 1 });
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
    const bea = { name: 'Bea', password: 'x' };
    await api.post('/users', { ...bea, company: { id: 4 } }).expect(201);
    expect(sent(api)).toMatchObject({ companyId: 4, company: { id: 4 } });
    expect(await given(api, api.post('/users', { ...bea, company: 5 }))).toMatchObject({ companyId: 5 });
    await api.post('/users', { ...bea, company: { id: 4 }, companyId: 6 }).expect(201);
    expect(sent(api)).toMatchObject({ companyId: 6 });
    await api.post('/users', { ...bea, company: { name: 'new' } }).expect(400);
  });

  test('persist is merged last, over the path and what the client says', async () => {
    const auth = CrudAuth({ persist: async () => ({ companyId: 7, name: 'Persisted' }) });
    const api = await serve({ params, routes: { updateOneBase: { allowParamsOverride: true } } }, path, auth);
    const stored = { password: 'x', companyId: 7, name: 'Persisted', role: 'guest' };

    await api.post('/companies/1/users', { name: 'Bea', password: 'x', companyId: 3, company: { id: 3 } }).expect(201);
    expect(sent(api)).toEqual({ ...stored, company: { id: 7 } });
    const bulk = [{ password: 'x' }, { password: 'y', companyId: 1 }];
    await api.post('/companies/1/users/bulk', { bulk }).expect(201);
    expect(sent(api)).toEqual({ bulk: [stored, { ...stored, password: 'y' }] });
  });
});
