/** The workloads. Request number n of a workload asks every server for the same records. */

/** One request of a workload. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
}

/** How a server spells its queries: as nestwright and @dataui/crud, as a hand-written controller, as nestjs-paginate. */
export type Spelling = 'crud' | 'plain' | 'paginate';

/** One row of the table below. */
export interface Workload {
  title: string;
  /** Whether it writes; the table is restored after such a workload. */
  writes: boolean;
  /** The request of each spelling; a spelling that cannot say it is absent. `n` picks the record, `tag`, which is the server's own, makes addresses unique. */
  calls: Partial<Record<Spelling, (n: number, tag: string) => Call>>;
}

const USERS = 100_000;
const COMPANIES = 1_000;

/** Spreads consecutive numbers over `1 … size`, so that no page is asked for twice in a row. */
const spread = (n: number, size: number): number => ((n * 7919) % size) + 1;

const after = (n: number): number => spread(n, USERS - 1_000);
const get = (path: string): Call => ({ method: 'GET', path });

/** A full body of POST, as a form would send it. */
const user = (n: number, tag: string): object => ({
  email: `${tag}-${n}@example.com`,
  firstName: `First ${n % 97}`,
  lastName: `Last ${n % 89}`,
  age: 18 + (n % 60),
  balance: `${n % 10_000}.25`,
  score: (n % 1_000) / 8,
  isActive: n % 5 > 0,
  role: n % 10 ? 'member' : 'admin',
  tags: ['new', `t${n % 7}`],
  settings: { theme: 'dark', size: n % 20 },
  birthDate: '1990-05-17',
  companyId: spread(n, COMPANIES),
  mainProjectId: spread(n, 5_000),
});

const crudList = (n: number, limit: number, more = ''): Call =>
  get(`/users?filter=id%7C%7C$gt%7C%7C${after(n)}&sort=id,ASC&limit=${limit}${more}`);
const plainList = (n: number, limit: number, more = ''): Call => get(`/users?after=${after(n)}&limit=${limit}${more}`);
const paginateList = (n: number, limit: number, path = 'users'): Call =>
  get(`/${path}?filter.id=$gt:${after(n)}&limit=${limit}`);

const post = (path: string, body: object): Call => ({ method: 'POST', path, body });
const create = (n: number, tag: string): Call => post('/users', user(n, tag));
const createMany = (n: number, tag: string): Call =>
  post('/users/bulk', { bulk: Array.from({ length: 100 }, (_, place) => user(n * 100 + place, tag)) });
/** Every server changes every record: what another has written already would be no change. */
const update = (n: number, tag: string): Call => ({
  method: 'PATCH',
  path: `/users/${spread(n, USERS)}`,
  body: {
    email: `${tag}-${n}@patched.example`,
    firstName: `First ${n % 97}`,
    score: (n % 1_000) / 8,
    tags: ['patched'],
  },
});
const one = (n: number): Call => get(`/users/${spread(n, USERS)}`);

/** The workloads, by the names that issue, tables and `--workloads` use. */
export const WORKLOADS = {
  L1: { title: 'get one', writes: false, calls: { crud: one, plain: one } },
  L2: {
    title: 'list 10',
    writes: false,
    calls: { crud: (n) => crudList(n, 10), plain: (n) => plainList(n, 10), paginate: (n) => paginateList(n, 10) },
  },
  L3: {
    title: 'list 100',
    writes: false,
    calls: { crud: (n) => crudList(n, 100), plain: (n) => plainList(n, 100), paginate: (n) => paginateList(n, 100) },
  },
  L4: {
    title: 'list 100 + two to-one joins',
    writes: false,
    calls: {
      crud: (n) => crudList(n, 100, '&join=company&join=mainProject'),
      plain: (n) => plainList(n, 100, '&with=owners'),
      paginate: (n) => paginateList(n, 100, 'users-with-owners'),
    },
  },
  L5: {
    title: 'page 50 of filter + sort + total',
    writes: false,
    calls: {
      crud: (n) =>
        get(
          `/users?filter=companyId%7C%7C$eq%7C%7C${spread(n, COMPANIES)}&filter=isActive%7C%7C$eq%7C%7Ctrue&sort=lastName,ASC&sort=id,ASC&limit=50&page=1`,
        ),
      plain: (n) => get(`/users/page?companyId=${spread(n, COMPANIES)}&isActive=true&limit=50&page=1`),
      paginate: (n) =>
        get(
          `/users?filter.companyId=$eq:${spread(n, COMPANIES)}&filter.isActive=$eq:true&sortBy=lastName:ASC&sortBy=id:ASC&limit=50&page=1`,
        ),
    },
  },
  L6: { title: 'POST', writes: true, calls: { crud: create, plain: create } },
  L7: { title: 'PATCH', writes: true, calls: { crud: update, plain: update } },
  L8: { title: 'bulk of 100', writes: true, calls: { crud: createMany, plain: createMany } },
  L9: {
    title: 'list 100 + many-to-many',
    writes: false,
    calls: {
      crud: (n) => crudList(n, 100, '&join=projects'),
      plain: (n) => plainList(n, 100, '&with=projects'),
      paginate: (n) => paginateList(n, 100, 'users-with-projects'),
    },
  },
  L10: {
    title: 'to-many in to-many: 2 companies, 10 projects, 600 users',
    writes: false,
    calls: {
      crud: (n) =>
        get(
          `/companies?filter=id%7C%7C$gt%7C%7C${spread(n, COMPANIES - 10)}&sort=id,ASC&limit=2&join=projects&join=projects.users%7C%7Cemail,firstName,lastName,role`,
        ),
      plain: (n) => get(`/companies?after=${spread(n, COMPANIES - 10)}&limit=2`),
    },
  },
} as const satisfies Record<string, Workload>;

/** Name of a workload. */
export type WorkloadName = keyof typeof WORKLOADS;

/** The row of a workload, read as what all rows have in common. */
export const workload = (name: WorkloadName): Workload => WORKLOADS[name];

/** Whether a text, as from the command line, names a workload. */
export const isWorkload = (name: string): name is WorkloadName => Object.hasOwn(WORKLOADS, name);
