/** Writes drawn at random, the same in every run: `TENANT_ATTACKS` says how many, `TENANT_SEED` which. */
import fc from 'fast-check';
import { FOREIGN, MISSING, OWN, STRAY, THIRD, type Targets } from './tenants.js';

const SEED = Number(process.env['TENANT_SEED'] ?? 20_250_101);

/** Mostly own ids, so that most of a body is in order. */
const others = fc.constantFrom(FOREIGN, THIRD, MISSING);
const targets = fc.oneof({ arbitrary: fc.constant(OWN), weight: 14 }, { arbitrary: others, weight: 1 });
const of = (id: (targets: Targets) => number): fc.Arbitrary<number> => targets.map(id);
const nth = (count: number) => fc.integer({ min: 1, max: count });
const ownTask = nth(10).chain((n) => of((one) => one.task(n)));
const task = fc.oneof(fc.constant(STRAY), ownTask);
const member = nth(5).chain((n) => of((targets) => targets.member(n)));
const project = nth(4).chain((n) => of((targets) => targets.project(n)));
const tenant = fc.constantFrom(OWN.tenant, FOREIGN.tenant);

/** Ways to name a record. */
const named = (id: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.oneof(
    id,
    id.map((value) => ({ id: value })),
    fc.record({ id, title: fc.constant('named'), name: fc.constant('named'), tenantId: tenant }),
    fc.constant(null),
  );

const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });

const { record } = fc.letrec<{ record: Record<string, unknown>; child: unknown }>((tie) => ({
  record: fc.record(
    {
      priority: fc.integer({ min: 0, max: 9 }),
      status: fc.constantFrom('todo', 'done'),
      tenantId: tenant,
      projectId: project,
      project: named(project),
      parentId: fc.oneof(task, fc.constant(null)),
      parent: named(task),
      assigneeId: fc.oneof(member, fc.constant(null)),
      assignee: named(member),
      watchers: some(named(member)),
      related: some(tie('child')),
      subtasks: some(tie('child')),
      comments: some(fc.record({ body: fc.constant('x'), taskId: task, authorId: member, tenantId: tenant })),
    },
    { requiredKeys: [] },
  ),
  child: fc.oneof(
    { maxDepth: 2 },
    named(task),
    tie('record').map((more) => ({ title: 'child', projectId: 1, ...more })),
    fc.tuple(task, tie('record')).map(([id, more]) => ({ id, ...more })),
  ),
}));

const ROUTES = [
  ...['POST', 'POST', 'bulk', 'PATCH', 'PATCH', 'PATCH', 'PUT', 'DELETE'],
  ...['PATCH of many', 'PATCH of many', 'PUT of many', 'DELETE of many', 'recovery of many'],
] as const;

const attack = fc
  .record({
    route: fc.constantFrom(...ROUTES),
    base: fc.oneof(
      fc.constant('/tasks'),
      project.map((id) => `/projects/${id}/tasks`),
    ),
    ids: fc.tuple(task, task),
    records: fc.tuple(record, record),
  })
  .map(({ route, base, ids: [id, second], records: [one, two] }) => {
    const whole = { title: 'random', projectId: 1, ...one };
    const other = { title: 'second', projectId: 2, ...two };
    const items = (first: object, last: object) => ({ bulk: [{ ...first, id }, { ...last, id: second }] }); // prettier-ignore
    return (
      {
        POST: ['POST', base, whole],
        bulk: ['POST', `${base}/bulk`, { bulk: [whole, other] }],
        PATCH: ['PATCH', `${base}/${id}`, one],
        PUT: ['PUT', `${base}/${id}`, whole],
        DELETE: ['DELETE', `${base}/${id}`, {}],
        'PATCH of many': ['PATCH', `${base}/bulk`, items(one, two)],
        'PUT of many': ['PUT', `${base}/bulk`, items(whole, other)],
        'DELETE of many': ['DELETE', `${base}/bulk`, items({}, {})],
        'recovery of many': ['PATCH', `${base}/bulk/recover`, items({}, {})],
      } as const
    )[route];
  });

export const randomAttacks = () =>
  fc.sample(attack, { seed: SEED, numRuns: Number(process.env['TENANT_ATTACKS'] ?? 30) });
