/** Compares the rows of all tables before and after a request: what a member of a tenant did and must not do. */
import type { Rows } from '../../test-support/rows.js';

type Row = Readonly<Record<string, unknown>>;

/** Every foreign key and join table: whose id stands in which column. */
const LINKS = [
  ['tasks', 'projectId', 'projects'],
  ['tasks', 'parentId', 'tasks'],
  ['tasks', 'assigneeId', 'members'],
  ['comments', 'taskId', 'tasks'],
  ['comments', 'authorId', 'members'],
] as const;

/** The link itself belongs to the task that it leads from. */
const JOIN_TABLES = [
  ['task_watchers', 'memberId', 'members'],
  ['task_related', 'relatedId', 'tasks'],
] as const;

const tenantOf = (tables: Rows, table: string, id: unknown): unknown =>
  tables[table]!.find((row) => Number(row['id']) === Number(id))?.['tenantId'];

/** The rows of a table that are not a tenant's, as text. */
function foreignRows(tables: Rows, table: string, tenant: string): string[] {
  const isForeign = (row: Row): boolean => {
    if (table === 'tenants') return row['id'] !== tenant;
    if (JOIN_TABLES.some(([name]) => name === table)) return tenantOf(tables, 'tasks', row['taskId']) !== tenant;

    return row['tenantId'] !== tenant;
  };

  return tables[table]!.filter(isForeign).map((row) => `${table} ${JSON.stringify(row)}`);
}

/** Links that lead from one tenant to another. */
function crossLinks(tables: Rows): string[] {
  const tenants = new Map(
    ['projects', 'tasks', 'members'].map((table) => [
      table,
      new Map(tables[table]!.map(({ id, tenantId }) => [Number(id), tenantId])),
    ]),
  );
  const told: string[] = [];

  for (const [table, column, target] of LINKS) {
    for (const row of tables[table]!) {
      const id = row[column];

      if (id !== null && tenants.get(target)!.get(Number(id)) !== row['tenantId'])
        told.push(`${table} ${String(row['id'])}.${column} → ${target} ${String(id)}`);
    }
  }
  for (const [table, column, target] of JOIN_TABLES) {
    for (const row of tables[table]!) {
      if (tenants.get('tasks')!.get(Number(row['taskId'])) !== tenants.get(target)!.get(Number(row[column])))
        told.push(`${table} ${String(row['taskId'])} → ${target} ${String(row[column])}`);
    }
  }

  return told;
}

/** Rows of other tenants that were changed, removed or added, and links between tenants that were not there before. */
export function breaches(before: Rows, after: Rows, tenant: string): string[] {
  const rows = Object.keys(before).flatMap((table) => {
    const was = new Set(foreignRows(before, table, tenant));
    const is = new Set(foreignRows(after, table, tenant));

    return [
      ...[...was].filter((row) => !is.has(row)).map((row) => `gone: ${row}`),
      ...[...is].filter((row) => !was.has(row)).map((row) => `come: ${row}`),
    ];
  });
  const known = new Set(crossLinks(before));

  return [
    ...rows,
    ...crossLinks(after)
      .filter((link) => !known.has(link))
      .map((link) => `linked: ${link}`),
  ];
}
