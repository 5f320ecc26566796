/** Cursors: positions in the order of a list, as opaque texts with exactly one spelling each. */
import { createHash } from 'node:crypto';
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import type { Catalog } from './catalog.js';
import { type PagingOverride, planRead } from './read.js';
import type { PlannedSort, ReadPlan } from './read-plan.js';
import { printColumnPath } from './sources.js';

/** A position before or after a record of a list, and the direction to read in. */
export interface Cursor {
  /** `next` reads on in the list's order, `previous` against it. */
  readonly direction: 'next' | 'previous';
  /** Whether the record itself is included. */
  readonly including: boolean;
  /** The record's sort values as the adapter wrote them, in the order of the sort. */
  readonly values: readonly (string | null)[];
}

/** The plan of a page that is read by a cursor. */
export interface CursorPlan {
  /** Reads the page, backwards if the cursor says so. */
  readonly plan: ReadPlan;
  /** The cursor that was sent; undefined for the first page. */
  readonly cursor: Cursor | undefined;
  /** Prints a cursor of the same list. */
  print(cursor: Cursor): string;
}

const VERSION = 1;
const CHECKSUM_BYTES = 6;

/**
 * Plans a page of a list by the cursor of the request.
 *
 * @throws 400 `CRUD_INVALID_CURSOR` if it is none of this list in this order
 * @example
 * const { plan, print } = planCursor(request, catalog, { take: 50 });
 */
export function planCursor(request: CrudRequest, catalog: Catalog, { take }: PagingOverride): CursorPlan {
  const list = planRead(request, catalog, 'many', { take, skip: null });
  const text = request.parsed.cursor;
  const cursor = text ? readCursor(text, catalog.model, list.sort) : undefined;

  return {
    plan: Object.freeze(cursor ? planFrom(list, cursor) : { ...list, slice: {} }),
    cursor,
    print: (one) => printCursor(one, catalog.model, list.sort),
  };
}

/** The part of a list that starts at a cursor, in the cursor's direction. */
export function planFrom(list: ReadPlan, { direction, including, values }: Cursor): ReadPlan {
  const all = [...list.values];
  const slots = values.map((value) => (value === null ? undefined : all.push(value) - 1));
  const sort = direction === 'next' ? list.sort : list.sort.map(reversed);

  return { ...list, sort, values: all, slice: { from: { slots, including } } };
}

function reversed({ column, order }: PlannedSort): PlannedSort {
  return { column, order: order === 'ASC' ? 'DESC' : 'ASC' };
}

function printCursor({ direction, including, values }: Cursor, model: string, sort: readonly PlannedSort[]): string {
  const content = JSON.stringify([VERSION, model, `${direction}${including ? '=' : ''}`, sortText(sort), values]);
  const bytes = Buffer.from(content);

  return Buffer.concat([computeChecksum(bytes), bytes]).toString('base64url');
}

/** Parses a cursor of a list; refuses anything that {@link printCursor} would not have printed for it. */
function readCursor(text: string, model: string, sort: readonly PlannedSort[]): Cursor {
  const cursor = parseContent(text);
  const isOfList = cursor?.values.length === sort.length && sort.every((one, at) => mayHold(one, cursor.values[at]!));
  if (!isOfList || printCursor(cursor, model, sort) !== text) throw invalidCursor();

  return cursor;
}

/**
 * For adapters: the error for a cursor with values that no list has.
 *
 * @param cause The database's error. Default: none.
 */
export function invalidCursor(cause?: unknown): Error {
  return crudError('CRUD_INVALID_CURSOR', { field: 'cursor', cause });
}

/** What is not as {@link printCursor} has it either throws or is printed otherwise. */
function parseContent(text: string): Cursor | undefined {
  try {
    const content = Buffer.from(text, 'base64url').toString('utf8', CHECKSUM_BYTES);
    const [, , mark, , values] = JSON.parse(content) as [unknown, unknown, string, unknown, readonly unknown[]];
    if (!values.every(isValue)) return undefined;

    return { direction: mark.startsWith('next') ? 'next' : 'previous', including: mark.endsWith('='), values };
  } catch {
    return undefined;
  }
}

function isValue(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function mayHold({ column: { column, source } }: PlannedSort, value: string | null): boolean {
  return value !== null || column.nullable || source.path !== '';
}

function sortText(sort: readonly PlannedSort[]): string[] {
  return sort.map(({ column, order }) => `${printColumnPath(column)},${order}`);
}

function computeChecksum(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);
}
