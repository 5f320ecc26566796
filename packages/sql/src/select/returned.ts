/**
 * The columns that a write returns so that its rows give the same records as a read of the plan; and the plan's
 * predicate on the row.
 */
import type { ReadPlan } from '@nestwright/crud/adapter';
import type { RecordShape } from '../hydrate/record-shape.js';
import type { Weigh } from '../lru-cache.js';
import { OBJECT_BYTES, textBytes } from '../weight.js';
import { compileRecord } from './compile-record.js';
import type { Sql } from './fragment.js';
import { Parameters, type ParameterSource } from './parameters.js';
import { makeDraft, type ReadOptions } from './read.js';
import { Selection } from './selection.js';
import { printShape } from './shape.js';
import { ownPredicate } from './where.js';
import type { Writing } from './writing.js';
import { getTable } from '../database/links.js';
import type { Database } from '../database/database.js';

/** The list after RETURNING, and how its rows become records. */
export interface Returned {
  readonly sql: string;
  readonly shape: RecordShape;
  /** Names in a row of the primary key's values, in the order of the entity's metadata. */
  readonly keys: readonly string[];
}

/** The columns of a plan as a statement on the root's table returns them. The plan must have no joins. */
export function compileReturned(plan: ReadPlan, database: Database, options: ReadOptions, weigh: Weigh): Returned {
  const writing: Writing = { ...makeDraft(plan, database, options), parameters: new Parameters(), weigh };
  const table = getTable(plan.root.catalog);
  const selection = new Selection(writing);
  const { shape } = compileRecord(writing, plan.root, selection, () => table.tableName, []);
  const keys = table.primaryColumns.map((column) => selection.add(table.tableName, column));

  const sql = selection.toSql();

  weigh(textBytes(sql) + 2 * OBJECT_BYTES);

  return { sql, shape, keys };
}

/** The predicate of a plan that only uses the root's own columns, its values not placed yet. */
export function ownCondition(plan: ReadPlan, database: Database, options: ReadOptions): Sql<ParameterSource> {
  const writing: Writing = { ...makeDraft(plan, database, options), parameters: new Parameters() };

  return writing.parameters.unplaced(ownPredicate(writing));
}

/** A text that is equal for plans whose texts are equal. */
export function printPlanShape(plan: ReadPlan, database: Database, options: ReadOptions): string {
  return printShape(makeDraft(plan, database, options));
}
