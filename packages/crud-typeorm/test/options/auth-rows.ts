/** What the options of `@CrudAuth()` change, a row for each. */
import { expect } from '@jest/globals';
import type { AuthOptions } from '@nestwright/crud';
import { Expose } from 'class-transformer';
import { Company } from './stage.js';
import { asks, having, type Row } from './rows.js';

/** A row of a class of answers that shows the age by one option, and hides it by another. */
function ageShownBy(decorate: PropertyDecorator, showing: AuthOptions, hiding: AuthOptions): Row {
  class Shown {}
  decorate(Shown.prototype, 'age');
  return asks(
    [{ serialize: { get: Shown } }, { '/users/1': having({ age: 30 }) }, { auth: showing }],
    [{ serialize: { get: Shown } }, { '/users/1': expect.not.objectContaining({ age: 30 }) }, { auth: hiding }],
  );
}

export const AUTH_ROWS: Record<string, Row> = {
  'auth.property': asks(
    [{}, { '/users': ['Ada'] }, { auth: { filter: ({ headers }: { headers?: object }) => ({ id: headers ? 1 : 9 }) } }],
    // Nobody has logged in: there is no such property.
    [{}, { '/users': ['Bea'] }, { auth: { property: 'user', filter: (user?: object) => (user ? {} : { id: 2 }) } }],
  ),
  'auth.filter': async (serve) => {
    const made = await serve({}, { auth: { filter: () => ({ companyId: 1 }) } });
    expect(await made.names('/users?or=id||$gt||0')).toEqual(['Ada', 'Bea']);
    await made.api.get('/users/3').expect(404);
    await made.api.patch('/users/3', { age: 1 }).expect(404);
    await made.api.delete('/users/3').expect(404);
  },
  'auth.or': asks([{}, { '/users?filter=name||$eq||Ada': ['Ada', 'Dot'] }, { auth: { or: () => ({ name: 'Dot' }) } }]),
  'auth.relations.*': async (serve) => {
    const relations = { company: async () => Promise.resolve({ name: 'Acme' }) };
    const made = await serve({ query: { join: { company: {} } } }, { auth: { relations } });
    const companies = { Ada: { name: 'Acme' }, Bea: { name: 'Acme' }, Cid: null, Dot: null };
    const shown = Object.entries(companies).map(([name, company]) => ({ name, company }));
    expect(await made.read('/users?join=company&fields=name')).toMatchObject(shown);
    expect(await made.names('/users?filter=company.name||$eq||Beta')).toEqual([]);
    await expect(serve({}, { auth: { relations: { country: false } } })).rejects.toThrow('relations names "country"');
  },
  'auth.relations.*.filter': asks(
    ...[() => ({ name: 'Acme' }), false as const].map((filter): Parameters<typeof asks>[0] => [
      { query: { join: { company: {} } } },
      { '/users?filter=company.id||$isnull': filter ? ['Cid', 'Dot'] : ['Dot'] },
      { auth: { relations: { company: { filter } } } },
    ]),
  ),
  'auth.relations.*.persist': async (serve) => {
    const made = await serve({}, { auth: { relations: { company: { persist: () => ({ code: 'set' }) } } } });
    await made.api.post('/users', { name: 'Eva', company: { name: 'New', code: 'sent' } }).expect(201);
    expect(await made.source.getRepository(Company).findOneBy({ name: 'New' })).toMatchObject({ code: 'set' });
  },
  'auth.persist': async (serve) => {
    const made = await serve({}, { auth: { persist: () => ({ companyId: 2 }) } });
    await made.api.post('/users', { name: 'Eva', companyId: 1 }).expect(201);
    expect(await made.stored(5)).toMatchObject({ companyId: 2 });
    await made.api.patch('/users/1', { age: 3 }).expect(200);
    expect(await made.stored(1)).toMatchObject({ companyId: 2 });
  },
  'auth.groups': ageShownBy(Expose({ groups: ['staff'] }), { groups: () => ['staff'] }, { groups: () => [] }),
  'auth.classTransformOptions': ageShownBy(
    Expose({ since: 2 }),
    { classTransformOptions: () => ({ version: 2 }) },
    { classTransformOptions: () => ({ version: 1 }) },
  ),
  'auth.checkWrites': async (serve) => {
    const filter = () => ({ companyId: 1 });
    const strict = await serve({}, { auth: { filter } });
    const lax = await serve({}, { auth: { filter, checkWrites: false } });
    expect((await strict.api.patch('/users/1', { companyId: 2 }).expect(400)).body.code).toBe('CRUD_OUT_OF_SCOPE');
    expect(await strict.stored(1)).toMatchObject({ companyId: 1 });
    await lax.api.patch('/users/1', { companyId: 2 }).expect(200);
    expect(await lax.stored(1)).toMatchObject({ companyId: 2 });
  },
};
