/** Every place of a request where a name may stand, as a function from an attack to the request that carries it there. */
import type { Call, Method } from './stage.js';

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
const SCALARS = ['limit', 'offset', 'page', 'cache', 'includeDeleted', 'per_page'];
const TYPED = ['age', 'companyId', 'company', 'role', 'isActive', 'birthDate', 'tags', 'name', 'score', 'version'];

/** One of several places that are alike: which one depends on the attack, so that the corpus reaches all. */
const oneOf = (places: readonly string[], attack: string): string => places[attack.length % places.length]!;
const deepWith = (attack: string) => ({ $and: [{ $not: { $or: [{ [attack]: { $ne: 1 } }] } }] });
const NOTHING = '/users?filter=id%7C%7Ceq%7C%7C0';
const JOINED_NOTHING = `/users?join=${text('company||on[0]=company.id||eq||0')}`;

/** A name of a query. What follows a delimiter inside the attack is no part of the name any more, but a value, of which nothing may come. */
const name = (title: string, query: (attack: string) => string, path = '/users', harmless = NOTHING): Position => ({
  title,
  call: (attack) => ({ path: `${path}?${query(attack)}` }),
  harmless,
});

/** What is read by nobody, beside what is. */
const unread = (title: string, query: (attack: string) => string): Position =>
  name(title, (attack) => `limit=3&${query(attack)}`, '/users', '/users?limit=3');

export const QUERY: readonly Position[] = [
  name('filter: field', (attack) => `filter=${text(`${attack}||eq||1`)}`),
  name('filter: field of a relation', (attack) => `filter=${text(`company.${attack}||eq||1`)}`),
  name('filter: field of an embedded object', (attack) => `filter=${text(`name.${attack}||eq||1`)}`),
  name('filter: operator', (attack) => `filter=${text(`id||${attack}||1`)}`),
  name('filter[]: field', (attack) => `filter[]=${text(`${attack}||isnull`)}`),
  name('or: field', (attack) => `filter=${text('id||eq||0')}&or=${text(`${attack}||notnull`)}`),
  name('or: operator', (attack) => `or=${text(`email||${attack}||1`)}`),
  name('s: key', (attack) => `s=${json({ [attack]: 1 })}`),
  name('s: key within $or, $and and $not', (attack) => `s=${json({ $or: [{ id: 0 }, deepWith(attack)] })}`),
  name('s: logic', (attack) => `s=${json({ [`$${attack}`]: [{ id: 1 }] })}`),
  name('s: operator', (attack) => `s=${json({ id: { [attack]: 1 } })}`),
  name('s: operator within $or', (attack) => `s=${json({ email: { $or: { $eq: '', [`$${attack}`]: 'a' } } })}`),
  name('sort: field', (attack) => `sort=${text(`${attack},ASC`)}`),
  name('sort[]: field', (attack) => `sort[]=${text(`${attack},DESC`)}`),
  name('sort: field of a relation', (attack) => `sort=${text(`company.${attack},ASC`)}`),
  name('sort: order', (attack) => `sort=${text(`id,${attack}`)}`),
  name('fields', (attack) => `fields=${text(attack)}`),
  name('select, among known ones', (attack) => `select=${text(`id,email,${attack}`)}`),
  name('join', (attack) => `join=${text(attack)}`),
  name('join: nested', (attack) => `join=${text(`company.${attack}`)}`),
  name('join: fields', (attack) => `join=${text(`company||${attack}`)}`),
  name('join: condition', (attack) => `join=${text(`company||on[0]=${attack}||eq||1`)}`, '/users', JOINED_NOTHING),
  name('join: operator of a condition', (attack) => `join=${text(`company||on[0]=company.id||${attack}||1`)}`),
  name('alias: field', (attack) => `filter=${text(`up.${attack}||eq||1`)}`, '/companies'),
  name('alias', (attack) => `filter=${text(`up${attack}.id||eq||1`)}`, '/companies'),
  name('alias: join', (attack) => `join=${text(`up||${attack}`)}`, '/companies'),
  name('within a scope: field', (attack) => `filter=id||eq||0&or=${text(`${attack}||eq||1`)}`, '/companies/1/users'),
  name('one record: join', (attack) => `join=${text(attack)}`, '/users/1'),
  { ...name('one record: field', (attack) => `filter=${text(`${attack}||isnull`)}`, '/users/1'), refused: [400, 404] },
  name('number', (attack) => `${oneOf(SCALARS, attack)}=${text(attack)}`, '/companies'),
];

/** Names that are data or ignored unless they tell of more. */
export const TOLERATED: readonly Position[] = [
  name('filter: key', (attack) => `filter[${text(attack)}]=${text('id||eq||0')}`),
  name('or: key', (attack) => `filter=${text('id||eq||0')}&or[${text(attack)}]=${text('id||eq||0')}`),
  name('path into JSON', (attack) => `filter=${text(`settings.${attack}||eq||1`)}`),
  name('path into JSON: key of s', (attack) => `s=${json({ [`settings.theme.${attack}`]: { $gt: 1 } })}`),
  unread('name of a parameter', (attack) => `${text(attack)}=1`),
  unread('name of an object', (attack) => `${text(attack)}[polluted]=1&${text(attack)}.polluted=1`),
  unread('name in an object', (attack) => `a[${text(attack)}][polluted]=1`),
  unread('extra: name', (attack) => `extra.${text(attack)}.polluted=1&extra.${text(attack)}=1`),
  unread('extra: value', (attack) => `extra.tag=${text(attack)}`),
];

const path = (title: string, at: (attack: string) => string, more: Partial<Call & Position> = {}): Position => {
  const { method = 'GET', body, ...rest } = more;
  return { title: `path: ${title}`, call: (attack) => ({ method, path: at(`${text(attack)}x`), body }), ...rest };
};

export const PATH: readonly Position[] = [
  path('number', (attack) => `/users/${attack}`),
  path('number of a scope', (attack) => `/companies/${attack}/users`),
  path('half of a composite key', (attack) => `/memberships/1/${attack}`),
  path('uuid', (attack) => `/devices/${attack}`),
  path('DELETE', (attack) => `/users/${attack}`, { method: 'DELETE' }),
  path('PATCH', (attack) => `/users/${attack}`, { method: 'PATCH', body: { age: 1 } }),
  path('recover', (attack) => `/companies/${attack}/recover`, { method: 'PATCH' }),
  path('enum', (attack) => `/kinds/${attack}/notes`),
  path('text', (attack) => `/labels/${attack}`, { refused: [400, 404] }),
  path('text of a scope', (attack) => `/tenants/${attack}/folders`, { harmless: NOTHING }),
];

const LABEL = { code: 'x', text: 'x' };
const USER = { email: 'a@b.example', password: 'secret-0', companyId: 1 };
const body = (title: string, method: Method, at: string, make: (attack: string) => object): Position => ({
  title: `body: ${title}`,
  call: (attack) => ({ method, path: at, body: make(attack) }),
});

const bulk = (item: object) => ({ bulk: [item] });

/** A version is the database's own in a record that is to be made, and dropped. */
const made = TYPED.slice(0, -1);

/** Bodies that are refused whatever they carry there: unknown where nothing unknown is allowed, or of the wrong type. */
export const BODY: readonly Position[] = [
  body('unknown key, strictly', 'POST', '/labels', (attack) => ({ ...LABEL, [attack]: 1 })),
  body('unknown key, strictly, in bulk', 'POST', '/labels/bulk', (attack) => bulk({ ...LABEL, [attack]: 1 })),
  body('key in the place of bulk', 'POST', '/users/bulk', (attack) => ({ [attack]: [USER] })),
  body('value of the wrong type', 'PATCH', '/users/1', (attack) => ({ [oneOf(TYPED, attack)]: `${attack},` })),
  body('value of the wrong type, in bulk', 'POST', '/users/bulk', (attack) => bulk({ ...USER, [oneOf(made, attack)]: `${attack},` })), // prettier-ignore
  body('foreign key in the place of a relation', 'PATCH', '/users/1', (attack) => ({ company: attack })),
  body('id of a linked record', 'PATCH', '/users/1', (attack) => ({ projects: [{ id: attack }] })),
];
