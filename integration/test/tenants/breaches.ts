/** Compares the rows of all tables before and after a request: what a member of a tenant did and must not do. */
import type { Rows } from '../../test-support/rows.js';

/** Every foreign key and join table: whose id stands in which column, and whose link it is: of a join table the task's that it leads from. */
const LINKS = [
  ['tasks', 'id', 'tasks', 'projectId', 'projects'],
  ['tasks', 'id', 'tasks', 'parentId', 'tasks'],
  ['tasks', 'id', 'tasks', 'assigneeId', 'members'],
  ['comments', 'id', 'comments', 'taskId', 'tasks'],
  ['comments', 'id', 'comments', 'authorId', 'members'],
  ['task_watchers', 'taskId', 'tasks', 'memberId', 'members'],
  ['task_related', 'taskId', 'tasks', 'relatedId', 'tasks'],
] as const;

/** Rows that are not a tenant's, and links that lead from one tenant to another, as text. */
function foreignIn(tables: Rows, tenant: string): Set<string> {
  const tenantsOf = (rows: Rows[string]) => new Map(rows.map(({ id, tenantId }) => [Number(id), tenantId]));
  const tenants = new Map(Object.entries(tables).map(([table, rows]) => [table, tenantsOf(rows)]));
  const tenantOf = (table: string, id: unknown) => tenants.get(table)!.get(Number(id));
  const rows = Object.entries(tables).flatMap(([table, all]) => {
    const ownerOf = ({ id, tenantId, taskId }: Rows[string][number]) =>
      table === 'tenants' ? id : table.startsWith('task_') ? tenantOf('tasks', taskId) : tenantId;
    return all.filter((row) => ownerOf(row) !== tenant).map((row) => `${table} ${JSON.stringify(row)}`);
  });
  const links = LINKS.flatMap(([table, owner, of, column, target]) => {
    const leads = tables[table]!.filter((row) => row[column] !== null);
    const away = leads.filter((row) => tenantOf(of, row[owner]) !== tenantOf(target, row[column]));
    return away.map((row) => `link of ${table} ${String(row[owner])}.${column} → ${target} ${String(row[column])}`);
  });
  return new Set([...rows, ...links]);
}

/** Rows of other tenants that were changed, removed or added, and links between tenants that were not there before. */
export function breaches(before: Rows, after: Rows, tenant: string): string[] {
  const [was, is] = [foreignIn(before, tenant), foreignIn(after, tenant)];
  return [
    ...[...was].filter((row) => !is.has(row) && !row.startsWith('link of')).map((row) => `gone: ${row}`),
    ...[...is].filter((row) => !was.has(row)).map((row) => `come: ${row}`),
  ];
}
