/** What the options of `@CrudAuth()` change, a row for each. */
import { expect } from '@jest/globals';
import { Expose } from 'class-transformer';
import { Company } from './stage.js';
import { asks, type Row } from './rows.js';

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
    expect(await made.names('/users?filter=company.id||$isnull')).toEqual(['Cid', 'Dot']);
    await expect(serve({}, { auth: { relations: { country: false } } })).rejects.toThrow(
      '@CrudAuth: relations names "country", but User has no relation country; it has company',
    );
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
    await expect(serve({}, { auth: { relations: { company: { persist: () => ({ coed: 'set' }) } } } })).rejects.toThrow(
      '@CrudAuth: relations.company.persist names "coed", but Company has no such field',
    );
  },
  'auth.persist': async (serve) => {
    const made = await serve({}, { auth: { persist: () => ({ companyId: 2 }) } });
    await made.api.post('/users', { name: 'Eva', companyId: 1 }).expect(201);
    expect(await made.stored(5)).toMatchObject({ companyId: 2 });
    await made.api.patch('/users/1', { age: 3 }).expect(200);
    expect(await made.stored(1)).toMatchObject({ companyId: 2 });
  },
  'auth.groups': async (serve) => {
    class Guarded {
      @Expose({ groups: ['staff'] }) email!: string;
    }

    for (const groups of [['staff'], []]) {
      const { read } = await serve({ serialize: { get: Guarded } }, { auth: { groups: () => groups } });
      expect(await read('/users/1').then((shown) => 'email' in shown)).toBe(groups.length > 0);
    }
  },
  'auth.classTransformOptions': async (serve) => {
    class Aged {
      @Expose({ since: 2 }) email!: string;
    }

    for (const version of [2, 1]) {
      const { read } = await serve(
        { serialize: { get: Aged } },
        { auth: { classTransformOptions: () => ({ version }) } },
      );
      expect(await read('/users/1').then((shown) => 'email' in shown)).toBe(version === 2);
    }
  },
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
