/** What compiles, with the types that answers have. Compiled by `npm run typecheck`, never run; mistakes that do not are in types.spec.ts. */
import { crudClient, type CursorPage, type Page } from '../../src/index.js';
import type { Slug, State, Ticket, User } from '../entities.js';

type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** Refuses to compile unless the types are the same. */
declare function is<Expected>(): <Given>(value: Given, equal: Equal<Given, Expected>) => void;
declare const read: <V>(promise: Promise<V>) => V;
const users = crudClient<User>()('/users', { hidden: ['secret'] });
export function selected() {
  const rows = read(users.getMany((query) => query.select(['email', 'age'])));
  is<{ id: number; email: string; age: number | null }[]>()(rows, true);
  const named = read(users.getOne(1, (query) => query.select(['name.first'])));
  is<{ id: number; name: { first: string | null } }>()(named, true);
}

export function joined() {
  const rows = read(users.getMany((query) => query.select(['email']).join('company', ['name'])));
  is<{ id: number; email: string; company: { id: number; name: string } | null }[]>()(rows, true);
  const lists = read(users.getMany((query) => query.select(['email']).join('projects', ['budget', 'startsOn'])));
  type Listed = { id: number; budget: number | null; startsOn: string };
  is<{ id: number; email: string; projects: Listed[] }[]>()(lists, true);
  const nested = read(users.getMany((query) => query.join('projects', ['name']).join('projects.company', ['name'])));
  type Nested = { id: number; name: string; company: { id: number; name: string } | null };
  is<Nested[]>()(nested[0]!.projects, true);
  const lazy = read(users.getOne(1, (query) => query.select(['email']).join('profile', ['city'])));
  is<{ id: number; email: string; profile: { id: number; city: string } | null }>()(lazy, true);
}

export function all() {
  const row = read(users.getOne(1));
  is<string>()(row['email'], true);
  is<number | null>()(row['age'], true);
  is<string | null>()(row['birthDate'], true);
  is<string[]>()(row['tags'], true);
  is<never>()(row as never as Extract<keyof typeof row, 'secret' | 'greet' | 'projects'>, true);
  // An embedded object or a relation: the type cannot tell.
  is<{ first: string | null; last: string | null } | null | undefined>()(row['name'], true);
}

export async function pages() {
  is<Page<{ id: number; email: string }>>()(read(users.getPage((query) => query.select(['email']).setPage(2))), true);
  const byCursor = read(users.getPage((query) => query.select(['email']).cursor()));
  is<CursorPage<{ id: number; email: string }>>()(byCursor, true);
  for await (const user of users.all((query) => query.select(['email'])))
    is<{ id: number; email: string }>()(user, true);
}

export function aggregates() {
  const rows = read(users.aggregate((query) => query.groupBy('role').aggregate(['count', '*'], ['avg', 'age'])));
  is<{ role: 'admin' | 'member'; count: number; avg_age: number | null }[]>()(rows, true);
  is<number>()(read(users.count((query) => query.setFilter(['age', '$gt', 3]))), true);
}

export function writes() {
  const bySlug = crudClient<User>()('/users', { key: 'slug' });
  const changed = read(bySlug.update('ada', { birthDate: new Date(), company: 3 }, (query) => query.select(['email'])));
  is<{ slug: string; email: string }>()(changed, true);
  const row = read(users.create({ email: 'a', name: { first: 'A', last: null }, projects: [1, { name: 'P' }] }));
  void users.update(row, { age: null });
  void users.removeMany([1, row]);
  const { affected } = read(users.updateWhere((query) => query.setFilter(['role', '$eq', 'admin']), { age: 3 }));
  is<number>()(affected, true);
}

/** A front end imports the entity as a type, and has no members of its enumerations. */
export function enumerations() {
  const tickets = crudClient<Ticket>()('/tickets');
  const rows = read(
    tickets.getMany((query) => query.select(['slug', 'state', 'before']).setFilter(['state', '$eq', 'open'])),
  );
  is<{ id: number; slug: Slug; state: 'open' | 'closed'; before: 'open' | 'closed' | null }[]>()(rows, true);
  void tickets.update(1, { state: {} as State });
}

export function upserts() {
  void crudClient<User>()('/users', { onConflict: ['email'] }).createMany([{ email: 'a' }, { email: 'b', slug: 'b' }]);
}

export function caches() {
  const { queries, mutations } = users;
  const infinite = queries.infinite((query) => query.select(['email']));
  is<CursorPage<{ id: number; email: string }>>()(read(infinite.queryFn({} as never)), true);
  void mutations.update.mutationFn({ target: 1, changes: { age: 2 } });
  is<number>()(read(queries.count((query) => query.setFilter(['age', '$gt', 3])).queryFn({})), true);
}

export function untyped() {
  const any = crudClient()('/anything');
  void any.getMany((query) => query.select(['whatever']).join('some.relation', ['x']));
  void any.create({ what: 'ever' });
}
