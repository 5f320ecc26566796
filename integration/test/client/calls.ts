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

  // Companies, softly deleted and recovered.
  const company = { name: 'Typed', domain: 'typed.example' };
  const made = done('POST /companies', await api.POST('/companies', { body: company }));
  // The record has what the paths need.
  const id: number = made.data!.id!;
  const path = { params: { path: { id } } };
  const bulk = [{ name: 'B', domain: 'b.example' }];
  done('POST /companies/bulk', await api.POST('/companies/bulk', { body: { bulk } }));
  const query = { limit: 2, sort: ['name,ASC'], filter: ['name||$cont||e'] };
  done('GET /companies', await api.GET('/companies', { params: { query } }));
  done('PATCH /companies/{id}', await api.PATCH('/companies/{id}', { ...path, body: { name: 'Typed 2' } }));
  done('DELETE /companies/{id}', await api.DELETE('/companies/{id}', path));
  done('PATCH /companies/{id}/recover', await api.PATCH('/companies/{id}/recover', path));

  // Users of a company, and the bodies of docs/relations.md.
  const of = { params: { path: { companyId: id } } };
  const user = { email: 't1@typed.example', companyId: id, name: { first: 'T' }, password: 'secret-password' };
  done('POST /companies/{companyId}/users', await api.POST('/companies/{companyId}/users', { ...of, body: user }));
  done('GET /companies/{companyId}/users', await api.GET('/companies/{companyId}/users', of));
  const links = [{ profile: { id: 1, city: 'Oslo' } }, { projects: [1, { id: 2 }] }];
  for (const body of [{ company: 2 }, { company: { id: 2 } }, ...links])
    done('PATCH /users/{id}', await api.PATCH('/users/{id}', { params: { path: { id: 1 } }, body }));
  done('GET /me', await api.GET('/me'));

  // Devices by uuid, memberships by two keys.
  const device = done('POST /devices', await api.POST('/devices', { body: { serial: 'typed-1' } }));
  const deviceOne = { params: { path: { id: device.data!.id! } } };
  done('PUT /devices/{id}', await api.PUT('/devices/{id}', { ...deviceOne, body: { serial: 'typed-2' } }));
  const membership = { companyId: id, userId: 1, role: 'guest' };
  const memberOne = { params: { path: { companyId: id, userId: 1 } } };
  const key = '/memberships/{companyId}/{userId}';
  done('POST /memberships', await api.POST('/memberships', { body: membership }));
  done(`PATCH ${key}`, await api.PATCH(key, { ...memberOne, body: { role: 'x' } }));
  done(`PUT ${key}`, await api.PUT(key, { ...memberOne, body: membership }));
  done(`DELETE ${key}`, await api.DELETE(key, memberOne));
  return calls;
}
