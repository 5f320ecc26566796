/** Writes drawn at random, the same in every run: `TENANT_ATTACKS` says how many, `TENANT_SEED` which. */
import fc from 'fast-check';
import { SEED } from './random-questions.js';
import { FOREIGN, MISSING, OWN, STRAY, THIRD, type Targets } from './tenants.js';

/** A request that writes. */
export interface RandomAttack {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
}

/** Mostly own ids, so that most of a body is in order. */
const of = (id: (targets: Targets) => number): fc.Arbitrary<number> =>
  fc
    .oneof(
      { arbitrary: fc.constant(OWN), weight: 14 },
      { arbitrary: fc.constantFrom(FOREIGN, THIRD, MISSING), weight: 1 },
    )
    .map(id);
const nth = (count: number) => fc.integer({ min: 1, max: count });
const task = fc.oneof(
  fc.constant(STRAY),
  nth(10).chain((n) => of((targets) => targets.task(n))),
);
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

const OF_MANY = ['PATCH of many', 'PATCH of many', 'PUT of many', 'DELETE of many', 'recovery of many'] as const;

const attack: fc.Arbitrary<RandomAttack> = fc
  .record({
    route: fc.constantFrom('POST', 'POST', 'bulk', 'PATCH', 'PATCH', 'PATCH', 'PUT', 'DELETE', ...OF_MANY),
    second: task,
    base: fc.oneof(
      fc.constant('/tasks'),
      project.map((id) => `/projects/${id}/tasks`),
    ),
    id: task,
    record,
    other: record,
  })
  .map(({ route, base, id, second, record: more, other }) => {
    const body = { title: 'random', projectId: 1, ...more };
    const items = (one: object, two: object) => ({ bulk: [{ ...one, id }, { ...two, id: second }] }); // prettier-ignore

    switch (route) {
      case 'POST':
        return { method: 'POST', path: base, body };
      case 'bulk':
        return {
          method: 'POST',
          path: `${base}/bulk`,
          body: { bulk: [body, { title: 'second', projectId: 2, ...other }] },
        };
      case 'PUT':
        return { method: 'PUT', path: `${base}/${id}`, body };
      case 'PUT of many':
        return { method: 'PUT', path: `${base}/bulk`, body: items(body, { title: 'second', projectId: 2, ...other }) };
      case 'PATCH of many':
        return { method: 'PATCH', path: `${base}/bulk`, body: items(more, other) };
      case 'DELETE of many':
        return { method: 'DELETE', path: `${base}/bulk`, body: items({}, {}) };
      case 'recovery of many':
        return { method: 'PATCH', path: `${base}/bulk/recover`, body: items({}, {}) };
      case 'DELETE':
        return { method: 'DELETE', path: `${base}/${id}`, body: {} };
      default:
        return { method: 'PATCH', path: `${base}/${id}`, body: more };
    }
  });

export const randomAttacks = (): RandomAttack[] =>
  fc.sample(attack, { seed: SEED, numRuns: Number(process.env['TENANT_ATTACKS'] ?? 30) });
