/** Which sources a clause must join. A source is identified by its path. */
import type { PlannedCondition, PlannedSource, ReadPlan } from '@nestwright/crud/adapter';

/** Relation paths from the root. */
export type Paths = ReadonlySet<string>;

/** The paths of some sources and of all that lead to them, without the root's. */
export function listPaths(sources: readonly PlannedSource[]): Set<string> {
  return new Set(sources.flatMap(listSourceChain).map(({ path }) => path));
}

/** Sources whose columns some conditions name. */
export function namedSources(conditions: readonly PlannedCondition[]): PlannedSource[] {
  return conditions.flatMap((condition): PlannedSource[] => {
    if (condition.kind === 'and' || condition.kind === 'or') return namedSources(condition.items);
    if (condition.kind === 'not') return namedSources([condition.item]);

    return condition.kind === 'comparison' || condition.kind === 'custom' ? [condition.column.source] : [];
  });
}

/**
 * The sources joined to one, directly or through others, parents before children; what a filter rejects is left out
 * with its descendants.
 */
export function listDescendants(
  source: PlannedSource,
  enter: (source: PlannedSource) => boolean = () => true,
): PlannedSource[] {
  return source.joins.flatMap((join) => (enter(join) ? [join, ...listDescendants(join, enter)] : []));
}

/** Whether a source is read by its parent's statement. */
export function isToOne({ relation }: PlannedSource): boolean {
  return relation?.toMany === false;
}

/** The condition's parts, split by whether they name a to-many relation. */
interface SplitCondition {
  /** Parts over the root and its to-one relations. */
  readonly toOne: readonly PlannedCondition[];
  /** Parts that name to-many relations; one combination of related records must satisfy them all. */
  readonly toMany: readonly PlannedCondition[];
}

/** Splits a condition at its outermost AND. */
export function splitCondition({ where }: ReadPlan): SplitCondition {
  const parts = where === undefined ? [] : where.kind === 'and' ? where.items : [where];
  const namesMany = (part: PlannedCondition) => namedSources([part]).some(({ toMany }) => toMany);

  return { toOne: parts.filter((part) => !namesMany(part)), toMany: parts.filter(namesMany) };
}

/** Sources from the root (left out) to a source, itself included. */
export function listSourceChain(source: PlannedSource): PlannedSource[] {
  const path: PlannedSource[] = [];

  for (let step: PlannedSource | undefined = source; step?.relation; step = step.parent) path.unshift(step);

  return path;
}

/** To-many relations from the root to a source, itself included. */
export function toManyPath(source: PlannedSource): PlannedSource[] {
  return listSourceChain(source).filter((step) => step.relation?.toMany);
}

/**
 * Required descendants of a source, which hide it if they are missing and which its own statement cannot join, since
 * they may be many.
 */
export function requiredThroughToMany(top: PlannedSource): PlannedSource[] {
  return listDescendants(top).filter((source) => source.required && toManyPath(source).length > toManyPath(top).length);
}
