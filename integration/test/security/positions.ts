/** Every place of a request where a name may stand, as a function from an attack to the request that carries it there. */
import type { Call, Method } from './wire.js';

/** Where a string is sent, and what may be answered. */
export interface Position {
  readonly title: string;
  readonly call: (attack: string) => Call;
  /** Statuses of the refusal. Default: 400. */
  readonly refused?: readonly number[];
  /** Path of a request whose answer every answer with 200 equals; without one, 200 is no answer. */
  readonly harmless?: string;
}

const text = encodeURIComponent;
const json = (value: unknown): string => text(JSON.stringify(value));
const users = (query: string): Call => ({ path: `/users?${query}` });

const SCALARS = ['limit', 'offset', 'page', 'cache', 'includeDeleted', 'per_page'];
const TYPED = ['age', 'companyId', 'company', 'role', 'isActive', 'birthDate', 'tags', 'name', 'version', 'score'];

/** A version is the database's own in a record that is to be made, and dropped. */
const TYPED_WHEN_MADE = TYPED.filter((name) => name !== 'version');

/** One of several places that are alike: which one depends on the attack, so that the corpus reaches all. */
const oneOf = (places: readonly string[], attack: string): string => places[attack.length % places.length]!;

const NOTHING = '/users?filter=id%7C%7Ceq%7C%7C0';

// What follows a delimiter inside the attack is no part of the name any more, but a value, of which nothing may come.
const name = (title: string, call: (attack: string) => Call): Position => ({ title, call, harmless: NOTHING });

/** What is read by nobody, beside what is. */
const unread = (title: string, query: (attack: string) => string): Position => ({
  title,
  call: (attack) => users(`limit=3&${query(attack)}`),
  harmless: '/users?limit=3',
});

/** Names in the query string of a list. */
const QUERY: readonly Position[] = [
  name('filter: field', (attack) => users(`filter=${text(`${attack}||eq||1`)}`)),
  name('filter: field of a relation', (attack) => users(`filter=${text(`company.${attack}||eq||1`)}`)),
  name('filter: field of an embedded object', (attack) => users(`filter=${text(`name.${attack}||eq||1`)}`)),
  name('filter: operator', (attack) => users(`filter=${text(`id||${attack}||1`)}`)),
  name('filter: key', (attack) => users(`filter[${text(attack)}]=${text('id||eq||1')}`)),
  name('filter[]: field', (attack) => users(`filter[]=${text(`${attack}||isnull`)}`)),
  name('or: field', (attack) => users(`filter=${text('id||eq||0')}&or=${text(`${attack}||notnull`)}`)),
  name('or: operator', (attack) => users(`or=${text(`email||${attack}||1`)}`)),
  name('s: key', (attack) => users(`s=${json({ [attack]: 1 })}`)),
  name('s: key within $or, $and and $not', (attack) =>
    users(`s=${json({ $or: [{ id: 0 }, { $and: [{ $not: { $or: [{ [attack]: { $ne: 1 } }] } }] }] })}`),
  ),
  name('s: operator', (attack) => users(`s=${json({ id: { [attack]: 1 } })}`)),
  name('s: operator within $or', (attack) => users(`s=${json({ email: { $or: { $eq: '', [attack]: 'a' } } })}`)),
  name('sort: field', (attack) => users(`sort=${text(`${attack},ASC`)}`)),
  name('sort: field of a relation', (attack) => users(`sort=${text(`company.${attack},ASC`)}`)),
  name('sort: order', (attack) => users(`sort=${text(`id,${attack}`)}`)),
  name('fields', (attack) => users(`fields=${text(attack)}`)),
  name('select', (attack) => users(`select=${text(`id,${attack}`)}`)),
  name('join', (attack) => users(`join=${text(attack)}`)),
  name('join: nested', (attack) => users(`join=${text(`company.${attack}`)}`)),
  name('join: fields', (attack) => users(`join=${text(`company||${attack}`)}`)),
  {
    ...name('join: field of a condition', (attack) => users(`join=${text(`company||on[0]=${attack}||eq||1`)}`)),
    harmless: `/users?join=${text('company||on[0]=company.id||eq||0')}`,
  },
  name('join: operator of a condition', (attack) => users(`join=${text(`company||on[0]=company.id||${attack}||1`)}`)),
  name('alias: field', (attack) => ({ path: `/companies?filter=${text(`up.${attack}||eq||1`)}` })),
  name('alias', (attack) => ({ path: `/companies?filter=${text(`up${attack}.id||eq||1`)}` })),
  name('alias: join', (attack) => ({ path: `/companies?join=${text(`up||${attack}`)}` })),
  name('path into JSON', (attack) => users(`filter=${text(`settings.${attack}||eq||1`)}`)),
  name('path into JSON: key of s', (attack) => users(`s=${json({ [`settings.theme.${attack}`]: { $gt: 1 } })}`)),
  name('or: key', (attack) => users(`filter=${text('id||eq||0')}&or[${text(attack)}]=${text('id||eq||0')}`)),
  name('sort[]: field', (attack) => users(`sort[]=${text(`${attack},DESC`)}`)),
  name('fields among known ones', (attack) => users(`fields=${text(`id,email,${attack}`)}`)),
  name('within a scope: field', (attack) => ({
    path: `/companies/1/users?filter=${text('id||eq||0')}&or=${text(`${attack}||eq||1`)}`,
  })),
  unread('name of a parameter', (attack) => `${text(attack)}=1`),
  unread('extra: name', (attack) => `extra.${text(attack)}=1`),
  unread('extra: value', (attack) => `extra.tag=${text(attack)}`),
  { title: 'number', call: (attack) => ({ path: `/companies?${oneOf(SCALARS, attack)}=${text(attack)}` }) },
  {
    title: 'one record: field of a filter',
    call: (attack) => ({ path: `/users/1?filter=${text(`${attack}||isnull`)}` }),
    refused: [400, 404],
  },
  name('one record: join', (attack) => ({ path: `/users/1?join=${text(attack)}` })),
];

/** Names in a path. */
const PATH: readonly Position[] = [
  { title: 'path: number', call: (attack) => ({ path: `/users/${text(attack)}x` }) },
  { title: 'path: number of a scope', call: (attack) => ({ path: `/companies/${text(attack)}x/users` }) },
  { title: 'path: half of a composite key', call: (attack) => ({ path: `/memberships/1/${text(attack)}x` }) },
  { title: 'path: uuid', call: (attack) => ({ path: `/devices/${text(attack)}x` }) },
  { title: 'path: DELETE', call: (attack) => ({ method: 'DELETE', path: `/users/${text(attack)}x` }) },
  { title: 'path: PATCH', call: (attack) => ({ method: 'PATCH', path: `/users/${text(attack)}x`, body: { age: 1 } }) },
  { title: 'path: recover', call: (attack) => ({ method: 'PATCH', path: `/companies/${text(attack)}x/recover` }) },
  { title: 'path: enum', call: (attack) => ({ path: `/kinds/${text(attack)}x/notes` }) },
  { title: 'path: text', call: (attack) => ({ path: `/labels/${text(attack)}x` }), refused: [400, 404] },
  {
    title: 'path: text of a scope',
    call: (attack) => ({ path: `/tenants/${text(attack)}x/folders` }),
    harmless: NOTHING,
  },
];

const LABEL = { code: 'x', text: 'x' };
const body = (title: string, method: Method, path: string, make: (attack: string) => object): Position => ({
  title: `body: ${title}`,
  call: (attack) => ({ method, path, body: make(attack) }),
});

/** Bodies that are refused whatever they carry there: unknown where nothing unknown is allowed, or of the wrong type. */
const BODY: readonly Position[] = [
  body('key that a strict resource does not know', 'POST', '/labels', (attack) => ({ ...LABEL, [attack]: 1 })),
  body('key that a strict resource does not know, in bulk', 'POST', '/labels/bulk', (attack) => ({
    bulk: [{ ...LABEL, [attack]: 1 }],
  })),
  body('key in the place of bulk', 'POST', '/users/bulk', (attack) => ({ [attack]: [{ email: 'a@b.example' }] })),
  body('value of the wrong type', 'PATCH', '/users/1', (attack) => ({ [oneOf(TYPED, attack)]: `${attack},` })),
  body('value of the wrong type, in bulk', 'POST', '/users/bulk', (attack) => ({
    bulk: [
      { email: 'a@b.example', password: 'secret-0', companyId: 1, [oneOf(TYPED_WHEN_MADE, attack)]: `${attack},` },
    ],
  })),
  body('foreign key in the place of a relation', 'PATCH', '/users/1', (attack) => ({ company: attack })),
  body('id of a linked record', 'PATCH', '/users/1', (attack) => ({ projects: [{ id: attack }] })),
];

/** Every position whose request must change nothing. */
export const REFUSED: readonly Position[] = [...QUERY, ...PATH, ...BODY];
