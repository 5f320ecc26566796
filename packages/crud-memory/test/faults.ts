/** Faults that an adapter may have, seeded into the one in memory. */
import { DEFAULT_VALUE, ListExport, makeReadOptions, planRead, reportOutcome } from '@nestwright/crud/adapter';
import type { PlannedComparison, PlannedCondition, PlannedSource, ReadPlan, Rows } from '@nestwright/crud/adapter';
import type { Write } from '@nestwright/crud/adapter';
import { OPERATORS } from '@nestwright/crud-request';
import type { MemoryDatabase, MemoryTransaction } from '../src/index.js';
import type { MemoryStore } from '../src/memory-store.js';
import type { MemoryTable } from '../src/tables.js';
import type { Damage } from './kit-tables.js';

/** Parts of plans and requests, which faults take apart whatever their types are. */
// Their types are there to keep anybody from doing so.
type Part = any;
type Plan<P extends ReadPlan = ReadPlan> = (plan: P) => P;

/** Something around a method of the store. */
const around =
  (name: 'read' | 'count' | 'write' | 'upsert' | 'aggregate', wrap: (inner: Part) => Part): Damage =>
  (store: Part) =>
    (store[name] = wrap(store[name].bind(store)));

/** Reads and counts by other plans. */
const reading =
  (change: Plan): Damage =>
  (store, database) => {
    around('read', (read) => (plan: ReadPlan, use: unknown) => read(change(plan), use))(store, database);
    around('count', (count) => (plan: ReadPlan) => count(change(plan)))(store, database);
  };

/** Reads and counts by plans of which some parts are others. */
const changing = (change: (plan: ReadPlan) => Partial<ReadPlan>): Damage =>
  reading((plan) => ({ ...plan, ...change(plan) }));

/** Reads what follows a cursor by other plans. */
const slicing = (change: (from: Part, sort: ReadPlan['sort']) => Partial<ReadPlan>): Damage =>
  changing(({ slice, sort }) => (slice?.from ? change(slice.from, sort) : {}));

/** Answers with other records. */
const answering = (change: (record: Part) => unknown): Damage =>
  around('read', (read) => async (plan: ReadPlan, use: unknown) => {
    const rows = (await read(plan, use)) as Rows<Part>;
    return { ...rows, records: async () => (await rows.records()).map((record) => (change(record), record)) };
  });

/** Writes something else. */
const writing = (change: (asked: Part) => object): Damage =>
  around('write', (write) => (asked: Write) => write({ ...asked, ...change(asked) }));

/** Answers something else about what is written. */
const written = (change: (done: Part) => object): Damage =>
  around('write', (write) => async (asked: Write) => {
    const done = await write(asked);
    return { ...done, ...change(done) };
  });

/** Writes other plans. */
const writingPlans = (change: (plan: Part, verb: Write['verb']) => object): Damage =>
  writing(({ items, verb }) => ({
    items: items.map((item: Part) => ({
      ...item,
      plan: { ...item.plan, ...change(item.plan, verb) },
      ...(item.insert && { insert: () => ({ ...item.insert(), ...change(item.insert(), verb) }) }),
    })),
  }));

/** Writes as if the request said something else. */
const writingFor = (change: (request: Part) => object): Damage =>
  around('write', (write) => async (asked: Write) => {
    const contexts = [asked.context, ...asked.items.map(({ context }) => context)];
    const requests = [...new Set(contexts.map(({ request }) => request))];
    const before = requests.map((request) => ({ ...request }));
    for (const request of requests) Object.assign(request, change(request));
    try {
      return await write(asked);
    } finally {
      requests.forEach((request, at) => Object.assign(request, before[at]));
    }
  });

/** Calls other hooks. */
const hooking = (change: (hooks: Part) => object): Damage =>
  writing(({ context }) => ({
    context: { ...context, ...(context.hooks && { hooks: { ...context.hooks, ...change(context.hooks) } }) },
  }));

/** Every comparison of a condition by another one. */
function compared(condition: PlannedCondition | undefined, change: (one: PlannedComparison) => PlannedCondition): Part {
  if (condition?.kind === 'comparison') return change(condition);
  if (condition?.kind === 'not') return { ...condition, item: compared(condition.item, change) };
  return condition && 'items' in condition
    ? { ...condition, items: condition.items.map((item) => compared(item, change)) }
    : condition;
}

/** Every comparison by an operator as another one. */
const comparing = (change: (one: PlannedComparison) => PlannedCondition, name?: string): Damage =>
  changing(({ where }) =>
    where
      ? { where: compared(where, (one) => ((name ?? one.operator.name) === one.operator.name ? change(one) : one)) }
      : {},
  );

const joining = (change: (source: Part) => object): Damage => {
  const all = (source: PlannedSource): PlannedSource => {
    return { ...source, joins: source.joins.map((join) => all({ ...join, ...change(join) })) };
  };
  return reading((plan) => ({ ...plan, root: all(plan.root) }));
};

const same: Plan<Part> = (plan) => plan;
const nothing = (): void => undefined;
const exporting =
  ({ change = same as Plan, edit = nothing as (record: Part) => void }): Damage =>
  (store) => {
    store.export = (catalog, request) =>
      new ListExport(async ({ take }) => {
        const plan = planRead(request, catalog, 'many', { take: request.parsed.limit ?? null, skip: null });
        const records = await (await store.read<object>(change(plan), makeReadOptions(request))).records();
        records.forEach(edit);
        await take({ records: () => records });
      });
  };

const aggregating = ({ change = same, edit = nothing as (row: Part) => void }): Damage =>
  around('aggregate', (aggregate) => async (plan: Part, use: unknown) => {
    const answer = await aggregate(change(plan), use);
    answer.rows.forEach(edit);
    return answer;
  });

/** Damages every table once. */
const inTables =
  (change: (table: Part) => void): Damage =>
  (_: MemoryStore, database: MemoryDatabase) => {
    for (const table of database.all()) change(table as MemoryTable);
  };

const inTransactions =
  (change: (transaction: Part) => void): Damage =>
  (_, database: Part) => {
    const transaction = database.transaction.bind(database);
    database.transaction = (work: Part, own: unknown) =>
      transaction((inner: MemoryTransaction) => (change(inner), work(inner)), own);
  };
const withoutWhere: Plan<Part> = ({ where: _, ...plan }) => plan;

/** What is wrong, and how. */
export const FAULTS: Readonly<Record<string, Damage>> = {
  'a scope is dropped in a join': joining(() => ({ on: undefined })),
  'a count has no scope': around('count', (count) => (plan: Part) => count(withoutWhere(plan))),
  'soft-deleted records are read': changing(() => ({ withDeleted: true })),
  'an offset is ignored': reading(({ offset: _, ...plan }) => plan),
  'a page has a record too many': changing(({ limit }) => (limit === undefined ? {} : { limit: limit + 1 })),
  'a cursor skips ties': slicing((from, sort) => ({
    sort: sort.slice(0, -1),
    slice: { from: { ...from, slots: from.slots.slice(0, -1) } },
  })),
  'a cursor reads a record again': slicing((from) => ({ slice: { from: { ...from, including: true } } })),
  'a descending sort ascends': changing(({ sort }) => ({ sort: sort.map(({ column }) => ({ column, order: 'ASC' })) })),
  'only the first sort counts': changing(({ sort }) => ({ sort: sort.slice(0, 1) })),
  'an answer has a hidden field': answering((record) => (record.secret = 'hidden-x')),
  'a written record is answered with a hidden field': written(({ written: all }) => ({
    written: all.map((one: Part) => (Object.assign(one.record, { secret: 'hidden-x' }), one)),
  })),
  'an export has a hidden column': exporting({ edit: (record) => (record.secret = 'hidden-x') }),
  'an export has no scope': exporting({ change: withoutWhere }),
  'an export has deleted records': exporting({ change: (plan) => ({ ...plan, withDeleted: true }) }),
  'a list of related records is cut': answering((record) => (record.badges &&= record.badges.slice(0, 1))),
  'a join loses records that have no related one': joining(() => ({ required: true })),
  'null is unequal': comparing((one) => {
    const { column } = one;
    const isnull = { kind: 'comparison', column, operator: OPERATORS.isnull, fold: false, as: 'column' } as const;
    return { kind: 'or', items: [one, isnull] };
  }, 'ne'),
  'operators of text respect case': comparing((one) => ({ ...one, fold: false })),
  'an end is searched anywhere': comparing((one) => ({ ...one, operator: OPERATORS.cont }), 'ends'),
  'greater means greater or equal': comparing((one) => ({ ...one, operator: OPERATORS.gte }), 'gt'),
  'an aggregate has no scope': aggregating({ change: withoutWhere }),
  'conditions on groups are ignored': aggregating({ change: (plan) => ({ ...plan, having: [] }) }),
  'an average is cut to an integer': aggregating({
    edit: (row) => (row.avg_age &&= Math.floor(row.avg_age as number)),
  }),
  'a rollback leaves a row': (_, database) => {
    const { transaction } = database;
    database.transaction = (work, own) => {
      let kept: MemoryTransaction | undefined;
      return transaction
        .call(database, (inner: MemoryTransaction) => work((kept = inner)) as never, own)
        .catch((error: unknown) => {
          (database as Part).committed = kept?.close() ?? (database as Part).committed;
          throw error;
        }) as never;
    };
  },
  'commits are told before they are': inTransactions((transaction) => {
    transaction.note = (hooks: Part, change: unknown) => void hooks.committed([change]);
  }),
  'afterChange is not called': hooking(() => ({ callsAfter: false })),
  'what a hook sets is lost': hooking(({ before }) => ({
    before: (change: Part, connection: unknown) => before({ ...change, record: { ...change.record } }, connection),
  })),
  'writes find records out of scope': writingFor(({ parsed }) => {
    const params: { field: string; value: unknown }[] = parsed.paramsFilter ?? [];
    const key = params.filter(({ field }) => field !== 'teamId' || params.some((one) => one.field === 'number'));
    return { parsed: { ...parsed, search: { $and: key.map(({ field, value }) => ({ [field]: value })) } } };
  }),
  'links lead out of reach': writingFor(({ parsed }) => ({
    parsed: { ...parsed, authRelations: undefined },
    linkScope: undefined,
  })),
  'a version is not compared': writingPlans(() => ({ expectedVersion: undefined })),
  'preconditions are ignored': writingFor(() => ({ preconditions: undefined })),
  'a tag is always the same': (store) => {
    store.readTagged = (plan, { request }, use) => {
      reportOutcome(request, { row: 'same' });
      return store.read(plan, use);
    };
  },
  'an upsert overwrites out of scope': around('upsert', (upsert) => (asked: Part) => {
    const { request } = asked.context;
    const everywhere = { ...request, scope: {}, parsed: { ...request.parsed, search: {}, paramsFilter: [] } };
    const context = { ...asked.context, request: everywhere };
    const update = (item: Part) => () => Promise.resolve({ context, plan: item.plan });
    return upsert({
      ...asked,
      context,
      items: asked.items.map((item: Part) => ({ ...item, context, update: update(item) })),
    });
  }),
  'equal unique values are stored': inTables((table) => (table.uniques = [])),
  'what belongs to a deleted record stays': inTables((table) => {
    const { memberId } = table.definition.columns;
    if (table.name === 'notes') table.columns.set('memberId', { ...memberId, onDelete: 'set null' });
  }),
  'a check is not made': inTables((table) =>
    table.columns.forEach((column: Part, path: string) => table.columns.set(path, { ...column, check: undefined })),
  ),
  'a replacement keeps what it leaves out': writingPlans(({ values }, verb) => ({
    values: verb === 'replace' ? values.filter(({ value }: Part) => value !== DEFAULT_VALUE && value !== null) : values,
  })),
  'a bulk stores the items that fit': around('write', (write) => async (asked: Write) => {
    if (asked.items.length < 2) return write(asked);
    const parts = await Promise.allSettled(asked.items.map((item) => write({ ...asked, items: [item] })));
    const done = parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value as Part] : []));
    if (done.length === 0) throw (parts[0] as PromiseRejectedResult).reason;
    return { affected: done.length, written: done.flatMap((one) => one.written) };
  }),
  'a bulk is answered in another order': written(({ written: all }) => ({ written: [...all].reverse() })),
  'digits of wide integers are lost': answering((record) => (record.points &&= String(Number(record.points)))),
  'soft deletion deletes': writing(() => ({ soft: false })),
};
