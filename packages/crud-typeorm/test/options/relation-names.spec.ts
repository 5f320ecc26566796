/** Names of relations in requests: paths and aliases; the last segment of a path where the request joins it. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JoinOptions, QueryOptions } from '@nestwright/crud';
import { stopAll } from '../../../crud/test/support/application.js';
import { closeSources, Company, stage, type Stage } from './stage.js';

afterAll(closeSources);

const JOIN: JoinOptions = { users: {}, 'users.company': {} };

describe('names of relations', () => {
  afterEach(stopAll);

  const open = (query: QueryOptions): Promise<Stage> =>
    stage({ entity: Company, path: 'companies', options: { query } });
  const ask = async ({ api }: Stage, query: string) => {
    const { status, body } = await api.get(`/companies?${query}`);

    return [status, status === 200 ? (body as { name: string }[]).map(({ name }) => name) : (body as object)];
  };
  const refused = (code: string, message: string, field: string) => [
    400,
    { statusCode: 400, error: 'Bad Request', code, message, field },
  ];

  describe('of relations by path', () => {
    let companies: Stage;
    beforeEach(async () => {
      companies = await open({ join: JOIN });
    });

    test.each([
      ['company', 'Unknown relation. Did you mean users.company?'],
      ['employer', 'Unknown relation'],
      ['pany', 'Unknown relation'],
    ])('join=%s is a 400', async (name, message) => {
      expect(await ask(companies, `join=${name}`)).toEqual(refused('CRUD_UNKNOWN_RELATION', message, name));
    });

    test.each([
      'filter=company.name||eq||Acme',
      'or=company.name||eq||Acme',
      's={"company.name":"Acme"}',
      'sort=company.name',
      'join=users||name||on[0]=company.name||eq||Acme',
    ])('%s is a 400 that tells the path', async (query) => {
      expect(await ask(companies, query)).toEqual(
        refused('CRUD_UNKNOWN_FIELD', 'Unknown field. Did you mean users.company.name?', 'company.name'),
      );
    });

    test.each(['filter=company.name||eq||Beta', 's={"company.name":"Beta"}'])(
      '%s works where the request joins users.company',
      async (condition) => {
        expect(await ask(companies, `${condition}&join=users.company`)).toEqual([200, ['Beta']]);
        expect(await ask(companies, `${condition}&join=users.company||name||on[0]=company.id||gt||1`)).toEqual([
          200,
          ['Beta'],
        ]);
      },
    );

    test('the path needs no join', async () => {
      expect(await ask(companies, 'filter=users.company.name||eq||Beta')).toEqual([200, ['Beta']]);
    });

    test('a field that no name reaches is not suggested', async () => {
      expect(await ask(companies, 'filter=company.nope||eq||1')).toEqual(
        refused('CRUD_UNKNOWN_FIELD', 'Unknown field', 'company.nope'),
      );
    });
  });

  test('eager relations go by their last segment', async () => {
    const companies = await open({ join: { ...JOIN, 'users.company': { eager: true } } });
    expect(await ask(companies, 'filter=company.name||eq||Beta')).toEqual([200, ['Beta']]);
    expect((await ask(companies, 'join=company'))[0]).toBe(400);
  });

  test('an alias stands for its path everywhere', async () => {
    const companies = await open({ join: { users: {}, 'users.company': { alias: 'employer' } } });
    expect(await ask(companies, 'join=employer&filter=employer.name||eq||Beta')).toEqual([200, ['Beta']]);
    expect(await ask(companies, 'filter=employer.name||eq||Beta')).toEqual([200, ['Beta']]);
    expect((await ask(companies, 'filter=company.name||eq||Beta'))[0]).toBe(400);
  });

  test('what clients may not name is not suggested', async () => {
    const companies = await open({ join: { users: {}, 'users.company': { exclude: ['code'] } } });
    expect(await ask(companies, 'filter=company.code||eq||secret')).toEqual(
      refused('CRUD_UNKNOWN_FIELD', 'Unknown field', 'company.code'),
    );
  });

  test('query.unknown: ignore keeps last segments everywhere', async () => {
    const companies = await open({ join: JOIN, unknown: 'ignore' });
    const { body } = await companies.api.get('/companies?join=company&filter=company.name||eq||Beta');
    expect((body as { users: { company: object }[] }[])[0]!.users[0]!.company).toMatchObject({ name: 'Beta' });
  });

  test('options of the application keep last segments', async () => {
    const companies = await open({ join: JOIN, filter: { 'company.name': 'Beta' } });
    expect(await ask(companies, '')).toEqual([200, ['Beta']]);
  });
});
