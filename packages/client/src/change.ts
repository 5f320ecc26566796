import { type Conflict, CrudError } from './errors.js';
import type { Asking } from './print-query.js';
import type { CallOptions, Target } from './resource.types.js';
import { type Fits, isRow, type Send, tags } from './send.js';

type Row = Record<string, unknown>;

// The calls have types of their own.
type Change = (target: Target, body?: Row, ask?: Asking, order?: CallOptions) => Promise<any>;

/** Makes writes of a record that are refused if others have changed it since it was read. */
export function makeChanges(send: Send, placeOf: (target: Target) => string): (method: string, fits: Fits) => Change {
  const compare = async (row: Row): Promise<Conflict<Row>> => {
    const current = (await send('GET', placeOf(row as never), isRow)) as Row;
    const changed = Object.keys(row).filter(
      (name) => name in current && JSON.stringify(row[name]) !== JSON.stringify(current[name]),
    );

    return { current, changed };
  };

  return (method, fits) => async (target, body, ask, order) => {
    const row = isRow(target) ? (target as Row) : undefined;
    const tag = row && tags.get(row);
    const version = !tag && typeof row?.['version'] === 'number' && { version: row['version'] };
    const headers = { ...(tag && { 'if-match': tag }), ...order?.headers };

    try {
      return await send(method, placeOf(target), fits, { ...order, headers }, ask, body && { ...version, ...body });
    } catch (error) {
      if (row && error instanceof CrudError && /PRECONDITION_FAILED|STALE/.test(String(error.code)))
        error.compare = () => compare(row);
      throw error;
    }
  };
}
