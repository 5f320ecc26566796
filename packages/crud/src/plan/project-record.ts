import { isObject } from '../definition/plain-objects.js';
import type { PlannedSource } from './read-plan.js';

type AnyRecord = Record<string, unknown>;

/**
 * Keeps of an entity what a plan returns: its visible columns and the relations that are joined, at every level.
 * Instances keep their class. Used if an answer is not read from the database by the plan: `returnShallow`,
 * `returnDeleted` and the like.
 *
 * @example
 * project(Object.assign(new User(), { id: 1, password: 'x' }), plan.root); // User { id: 1 }
 */
export function project<T extends object>(entity: T, source: PlannedSource): T {
  const kept = sameClass(entity);
  for (const { column } of source.columns) {
    if (!source.hidden.has(column.path))
      copy(entity as AnyRecord, kept as AnyRecord, column.path.split('.'), (value) => value);
  }
  for (const join of source.joins) {
    if (join.returned) {
      copy(entity as AnyRecord, kept as AnyRecord, join.relation!.path.split('.'), (value) =>
        projectRelated(value, join),
      );
    }
  }

  return kept;
}

function projectRelated(value: unknown, source: PlannedSource): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => projectRelated(item, source));

  return isObject(value) ? project(value, source) : value;
}

/** Copies the value at a path, with the embedded objects around it; missing values stay missing. */
function copy(
  from: AnyRecord,
  to: AnyRecord,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): void {
  if (name === undefined || !Object.hasOwn(from, name)) return;

  const value = from[name];
  if (rest.length === 0 || !isObject(value)) {
    to[name] = rest.length === 0 ? change(value) : value;
  } else {
    if (!Object.hasOwn(to, name)) to[name] = sameClass(value);
    copy(value as AnyRecord, to[name] as AnyRecord, rest, change);
  }
}

function sameClass<T extends object>(value: T): T {
  return Object.create(Object.getPrototypeOf(value) as object | null) as T;
}
