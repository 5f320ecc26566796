/** Plans as plain text, so that a test can say the whole of one. */
import type { CrudRequest } from '../../src/crud-request.js';
import type { PlannedCondition, PlannedSource, ReadPlan, ResolvedColumn } from '../../src/plan/read-plan.js';
import type { QueryOptions } from '../../src/definition/query-options.js';
import type { PlannedCascadeItem, PlannedKey, WritePlan } from '../../src/plan/write-plan.js';
import { DEFAULT_VALUE } from '../../src/plan/write.js';

const NOTHING = { fields: [], paramsFilter: [], filter: [], or: [], join: [], sort: [] };

export function requestOf(parsed: Partial<CrudRequest['parsed']> = {}, query: QueryOptions = {}): CrudRequest {
  const whole = { ...NOTHING, ...parsed } as unknown as CrudRequest['parsed'];
  return { parsed: whole, options: { query, routes: {}, params: {} } };
}

export function nameOf({ source, column, jsonPath }: ResolvedColumn): string {
  return [`${source.alias}.${column.path}`, ...jsonPath].join('>');
}

/** `age gte $0`, `(… AND …)`, `NOT …`; folded operators end in L, a comparison that is not by the column says by what. */
export function print(condition: PlannedCondition | undefined): string {
  if (!condition) return '';
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${condition.items.map(print).join(` ${condition.kind.toUpperCase()} `)})`;
    case 'not':
      return `NOT ${print(condition.item)}`;
    case 'constant':
      return String(condition.value).toUpperCase();
    case 'comparison': {
      const { column, operator, fold, as, slot } = condition;
      const by = as === 'column' ? '' : `:${as}`;
      return `${nameOf(column)}${by} ${operator.name}${fold ? 'L' : ''}${slot === undefined ? '' : ` $${slot}`}`;
    }
    case 'custom':
      return `${nameOf(condition.column)} custom ${condition.operator} $${condition.slot}`;
  }
}

/** One line per source: path, alias, marks and columns. */
export function sourcesOf({ root }: ReadPlan): string[] {
  const lines: string[] = [];
  const visit = (source: PlannedSource) => {
    const marks = [!source.returned && 'unreturned', source.required && 'required', source.toMany && 'many'];
    const columns = source.columns.map(({ column: { path } }) => (source.hidden.has(path) ? `(${path})` : path));
    lines.push([source.path || '-', source.alias, ...marks.filter(Boolean), `[${columns.join(' ')}]`].join(' '));
    source.joins.forEach(visit);
  };
  visit(root);
  return lines;
}

function printValue(value: unknown): string {
  if (value === DEFAULT_VALUE) return 'default';
  return value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : JSON.stringify(value);
}

const printValues = (values: PlannedKey) =>
  values.map(({ column, value }) => `${column.path}=${printValue(value)}`).join(' ');

function printItem({ key, ownKey, parentKey, plan, update, isNew }: PlannedCascadeItem): string {
  const keys = Object.entries({ key, ownKey, parentKey }).flatMap(([name, values]) =>
    values ? [`${name} ${printValues(values)} `] : [],
  );
  return `${keys.join('')}${isNew ? 'new ' : ''}{${printWrite(plan)}}${update ? ` or {${printWrite(update)}}` : ''}`;
}

/** `name="x" age=null; tags -> [id=1][id=2]; profile: {bio="b"} or {bio="b"}; unlinks company (1)`: all of a plan. */
export function printWrite({ values, links, cascades, unlinks = [], expectedVersion }: WritePlan): string {
  const parts = [
    printValues(values),
    ...links.map(({ relation, keys }) => `${relation.path} -> ${keys.map((key) => `[${printValues(key)}]`).join('')}`),
    ...cascades.map(({ relation, items }) => `${relation.path}: ${items.map(printItem).join(', ')}`),
    ...unlinks.map(({ relation, columns }) => `unlinks ${relation.path} (${columns.length})`),
    expectedVersion === undefined ? '' : `of version ${expectedVersion}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** What an error says to a client. */
export function refusalOf(action: () => unknown): { code?: string; field?: string; message?: unknown } {
  try {
    action();
  } catch (error) {
    if (error instanceof Error && 'getResponse' in error) return (error as { getResponse(): object }).getResponse();
    throw error;
  }
  throw new Error('Nothing was refused');
}
