import { Injectable } from '@nestjs/common';
import type { OperatorName } from '@nestwright/crud-request';
import { CATALOG, crudError, describeColumn, NeedsRecords } from '@nestwright/crud/adapter';
import { planRecords, project, STORE, Store, StoreService } from '@nestwright/crud/adapter';
import type { Catalog, PlannedCondition, ReadPlan, ReadUse } from '@nestwright/crud/adapter';
import type { Rows, Stored, Write, Written } from '@nestwright/crud/adapter';

export class Note {
  id!: number;
  text!: string;
  done!: boolean;
}

type Row = Record<string, unknown>;

const id = describeColumn('id', 'integer', { primary: true, autoIncrement: true, generated: true });
const text = describeColumn('text', 'text', { length: 80 });
const done = describeColumn('done', 'boolean', { hasDefault: true });
const notes: Catalog = {
  model: 'Note',
  target: Note,
  columns: new Map([id, text, done].map((column) => [column.path, column])),
  relations: new Map(),
  primary: [id],
};

export class NotesStore extends Store {
  private rows: Row[] = [];
  private last = 0;

  read<T>(plan: ReadPlan, { most = Infinity }: ReadUse): Promise<Rows<T>> {
    const { offset = 0, limit = Infinity, sort } = plan;
    const sorted = this.match(plan).sort((one, other) => {
      const first = sort.find(({ column: { column } }) => one[column.path] !== other[column.path]);
      const path = first?.column.column.path ?? 'id';

      return (one[path] as never) < (other[path] as never) === (first?.order === 'ASC') ? -1 : 1;
    });
    const page = sorted.slice(offset, offset + limit);
    const records = page.slice(0, most).map((row) => makeRecord(row, plan) as T);

    return Promise.resolve({
      length: records.length,
      cut: page.length > most,
      records: () => records,
      texts: () => new NeedsRecords('a store in memory'),
    });
  }

  count(plan: ReadPlan): Promise<number> {
    return Promise.resolve(this.match(plan).length);
  }

  write({ verb, context, items }: Write): Promise<Stored> {
    const { request, catalog } = context;
    if (verb !== 'insert') throw crudError('CRUD_INVALID_BODY', { message: [`No ${verb} here`] });

    const added = items.map(({ plan }): Row => {
      const values = plan.values.map(({ column, value }) => [column.path, value]);

      return { done: false, ...Object.fromEntries(values), id: (this.last += 1) };
    });
    this.rows.push(...added);

    const written = added.map(({ id: key }): Written => {
      // As the request may see it: path values and @CrudAuth are part of this plan.
      const plan = planRecords(request, catalog, [{ id: key }]);
      const [row] = this.match(plan);
      if (row) return { key: { id: key }, record: makeRecord(row, plan) };

      this.rows = this.rows.filter((each) => !added.includes(each));
      throw crudError('CRUD_OUT_OF_SCOPE');
    });

    return Promise.resolve({ affected: written.length, written });
  }

  private match({ where, values }: ReadPlan): Row[] {
    return this.rows.filter((row) => where === undefined || holds(where, row, values) === true);
  }
}

function makeRecord(row: Row, { root }: ReadPlan): object {
  return project(Object.assign(new Note(), row), root);
}

/** Whether a condition holds; null is SQL's unknown. */
function holds(condition: PlannedCondition, row: Row, values: readonly unknown[]): boolean | null {
  if (condition.kind === 'constant') return condition.value === 'unknown' ? null : condition.value;
  if (condition.kind === 'custom') throw crudError('CRUD_INVALID_QUERY');

  if (condition.kind === 'comparison') {
    const { column, operator, fold, slot } = condition;
    const lower = (v: unknown) => (fold && typeof v === 'string' ? v.toLowerCase() : v) as never;

    return COMPARISONS[operator.name](lower(row[column.column.path]), lower(values[slot ?? -1]));
  }

  const results = (condition.kind === 'not' ? [condition.item] : condition.items).map((item) =>
    holds(item, row, values),
  );
  if (condition.kind === 'not') return results[0] === null ? null : !results[0];
  const decisive = condition.kind === 'or';

  return results.includes(decisive) ? decisive : results.includes(null) ? null : !decisive;
}

const COMPARISONS: Record<OperatorName, (stored: never, operand: never) => boolean> = {
  eq: (stored, operand) => stored === operand,
  ne: (stored, operand) => stored !== operand,
  gt: (stored, operand) => stored > operand,
  gte: (stored, operand) => stored >= operand,
  lt: (stored, operand) => stored < operand,
  lte: (stored, operand) => stored <= operand,
  between: (stored, [low, high]: [never, never]) => stored >= low && stored <= high,
  in: (stored, operands: unknown[]) => operands.includes(stored),
  notin: (stored, operands: unknown[]) => !operands.includes(stored),
  starts: (stored, operand) => String(stored).startsWith(operand),
  ends: (stored, operand) => String(stored).endsWith(operand),
  cont: (stored, operand) => String(stored).includes(operand),
  excl: (stored, operand) => !String(stored).includes(operand),
  isnull: (stored) => stored === null,
  notnull: (stored) => stored !== null,
  contArr: () => false,
  intersectsArr: () => false,
};

@Injectable()
export class NotesService extends StoreService<Note> {
  override readonly [STORE] = new NotesStore();

  override get [CATALOG](): Catalog {
    return notes;
  }
}
