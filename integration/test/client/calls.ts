/** Calls operations of the example's document by a typed client: of each kind of key, and of each kind of path. The compiler checks each call against the generated types. */
import createClient from 'openapi-fetch';
import type { paths } from './paths.js';

interface Answer {
  readonly response: Response;
  readonly error?: unknown;
}

/** What an operation was, and how it was answered. */
export interface Call {
  readonly operation: string;
  readonly status: number;
}

/** Refuses where an answer is no success. */
export async function callSome(baseUrl: string): Promise<Call[]> {
  const api = createClient<paths>({ baseUrl, headers: { 'x-demo-user': '1' } });
  const calls: Call[] = [];
  const done = <A extends Answer>(operation: string, answer: A): A => {
    if (!answer.response.ok) throw new Error(`${operation}: ${answer.response.status} ${JSON.stringify(answer.error)}`);
    calls.push({ operation, status: answer.response.status });
    return answer;
  };
  /** The record of an answer, by its type, which has what the call needs. */
  const sure = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('an answer without a body');
    return value;
  };

  // Companies, softly deleted and recovered.
  const company = { name: 'Typed', domain: 'typed.example' };
  const made = sure(done('POST /companies', await api.POST('/companies', { body: company })).data);
  const id = sure(made.id);
  done(
    'POST /companies/bulk',
    await api.POST('/companies/bulk', { body: { bulk: [{ name: 'B', domain: 'b.example' }] } }),
  );
  done(
    'GET /companies',
    await api.GET('/companies', { params: { query: { limit: 2, sort: ['name,ASC'], filter: ['name||$cont||e'] } } }),
  );
  done('GET /companies/{id}', await api.GET('/companies/{id}', { params: { path: { id } } }));
  done(
    'PATCH /companies/{id}',
    await api.PATCH('/companies/{id}', { params: { path: { id } }, body: { name: 'Typed 2' } }),
  );
  done('PUT /companies/{id}', await api.PUT('/companies/{id}', { params: { path: { id } }, body: company }));
  done('DELETE /companies/{id}', await api.DELETE('/companies/{id}', { params: { path: { id } } }));
  done('PATCH /companies/{id}/recover', await api.PATCH('/companies/{id}/recover', { params: { path: { id } } }));

  // Users, of a company and of all.
  const user = (email: string, companyId: number) => ({
    email,
    companyId,
    name: { first: 'T' },
    password: 'secret-password',
  });
  const own = { params: { path: { companyId: id } } };
  const first = sure(
    done(
      'POST /companies/{companyId}/users',
      await api.POST('/companies/{companyId}/users', { ...own, body: user('t1@typed.example', id) }),
    ).data,
  );
  const ownOne = { params: { path: { companyId: id, id: sure(first.id) } } };
  done(
    'POST /companies/{companyId}/users/bulk',
    await api.POST('/companies/{companyId}/users/bulk', { ...own, body: { bulk: [user('t2@typed.example', id)] } }),
  );
  done('GET /companies/{companyId}/users', await api.GET('/companies/{companyId}/users', own));
  done('GET /companies/{companyId}/users/{id}', await api.GET('/companies/{companyId}/users/{id}', ownOne));
  done(
    'PATCH /companies/{companyId}/users/{id}',
    await api.PATCH('/companies/{companyId}/users/{id}', { ...ownOne, body: { age: 30 } }),
  );
  done(
    'PUT /companies/{companyId}/users/{id}',
    await api.PUT('/companies/{companyId}/users/{id}', { ...ownOne, body: user('t1@typed.example', id) }),
  );
  done('DELETE /companies/{companyId}/users/{id}', await api.DELETE('/companies/{companyId}/users/{id}', ownOne));

  // The bodies of docs/relations.md.
  const profile = { id: 1, city: 'Oslo' };
  for (const body of [{ company: 2 }, { company: { id: 2 } }, { profile }]) {
    const { response } = await api.PATCH('/users/{id}', { params: { path: { id: 1 } }, body });
    if (!response.ok) throw new Error(`${JSON.stringify(body)}: ${response.status}`);
  }
  done('GET /me', await api.GET('/me'));
  done('PATCH /me', await api.PATCH('/me', { body: { age: 41 } }));

  // Devices by uuid, memberships by two keys.
  const device = sure(done('POST /devices', await api.POST('/devices', { body: { serial: 'typed-1' } })).data);
  const deviceOne = { params: { path: { id: sure(device.id) } } };
  done('POST /devices/bulk', await api.POST('/devices/bulk', { body: { bulk: [{ serial: 'typed-2' }] } }));
  done('GET /devices', await api.GET('/devices'));
  done('GET /devices/{id}', await api.GET('/devices/{id}', deviceOne));
  done('PATCH /devices/{id}', await api.PATCH('/devices/{id}', { ...deviceOne, body: { description: 'd' } }));
  done('PUT /devices/{id}', await api.PUT('/devices/{id}', { ...deviceOne, body: { serial: 'typed-1' } }));
  done('DELETE /devices/{id}', await api.DELETE('/devices/{id}', deviceOne));
  const membership = { companyId: id, userId: 1, role: 'guest' };
  const memberOne = { params: { path: { companyId: id, userId: 1 } } };
  done('POST /memberships', await api.POST('/memberships', { body: membership }));
  done(
    'POST /memberships/bulk',
    await api.POST('/memberships/bulk', { body: { bulk: [{ ...membership, userId: 2 }] } }),
  );
  done('GET /memberships', await api.GET('/memberships'));
  done('GET /memberships/{companyId}/{userId}', await api.GET('/memberships/{companyId}/{userId}', memberOne));
  done(
    'PATCH /memberships/{companyId}/{userId}',
    await api.PATCH('/memberships/{companyId}/{userId}', { ...memberOne, body: { role: 'x' } }),
  );
  done(
    'PUT /memberships/{companyId}/{userId}',
    await api.PUT('/memberships/{companyId}/{userId}', { ...memberOne, body: membership }),
  );
  done('DELETE /memberships/{companyId}/{userId}', await api.DELETE('/memberships/{companyId}/{userId}', memberOne));

  return calls;
}
