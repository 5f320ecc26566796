/** Calls operations of the example's document by a typed client: of each kind of key, and of each kind of path. The compiler checks each call against the generated types. */
import createClient from 'openapi-fetch';
import type { paths } from './paths.js';

export async function callSome(baseUrl: string): Promise<[operation: string, status: number][]> {
  const api = createClient<paths>({ baseUrl, headers: { 'x-demo-user': '1' } });
  const calls: [string, number][] = [];
  const done = <A extends { response: Response }>(operation: string, answer: A): A => {
    calls.push([operation, answer.response.status]);
    return answer;
  };

  // Companies, softly deleted and recovered. The record has what the paths need.
  const made = await api.POST('/companies', { body: { name: 'Typed', domain: 'typed.example' } });
  const id: number = done('POST /companies', made).data!.id!;
  const path = { params: { path: { id } } };
  const query = { limit: 2, sort: ['name,ASC'], filter: ['name||$cont||e'] };
  done('GET /companies', await api.GET('/companies', { params: { query } }));
  done('PATCH /companies/{id}', await api.PATCH('/companies/{id}', { ...path, body: { name: 'Typed 2' } }));
  done('DELETE /companies/{id}', await api.DELETE('/companies/{id}', path));
  done('PATCH /companies/{id}/recover', await api.PATCH('/companies/{id}/recover', path));

  // Users of a company, and the bodies of docs/relations.md.
  const of = { params: { path: { companyId: id } } };
  const user = { email: 't1@typed.example', companyId: id, name: { first: 'T' }, password: 'secret-password' };
  const bulk = { ...of, body: { bulk: [user] } };
  done('POST /companies/{companyId}/users/bulk', await api.POST('/companies/{companyId}/users/bulk', bulk));
  const links = [{ profile: { id: 1, city: 'Oslo' } }, { projects: [1, { id: 2 }] }];
  for (const body of [{ company: 2 }, { company: { id: 2 } }, ...links])
    done('PATCH /users/{id}', await api.PATCH('/users/{id}', { params: { path: { id: 1 } }, body }));
  done('GET /me', await api.GET('/me'));

  // Devices by uuid, memberships by two keys.
  const { data } = done('POST /devices', await api.POST('/devices', { body: { serial: 'typed-1' } }));
  const one = { params: { path: { id: data!.id! } } };
  done('PUT /devices/{id}', await api.PUT('/devices/{id}', { ...one, body: { serial: 'typed-2' } }));
  const key = '/memberships/{companyId}/{userId}';
  const member = { params: { path: { companyId: id, userId: 1 } } };
  const body = { companyId: id, userId: 1, role: 'guest' };
  done('POST /memberships', await api.POST('/memberships', { body }));
  done(`PUT ${key}`, await api.PUT(key, { ...member, body }));
  done(`DELETE ${key}`, await api.DELETE(key, member));
  return calls;
}
