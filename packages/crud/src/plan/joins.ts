/** Adds the sources that the joins of a request need to the tree. Relations that no option configures are ignored. */
import { convertFilterToSearch, type QueryFilter, type QueryJoin, speakable } from '@nestwright/crud-request';
import { crudError } from '../errors.js';
import { sentValue } from './condition-origins.js';
import { combineBoth, planCondition } from './condition.js';
import { selectColumns } from './projection.js';
import type { PlannedCondition } from './read-plan.js';
import { findField, findRelation, type Names, type RelationStep } from './resolve-names.js';
import type { SourceDraft, SourceTree } from './sources.js';

/** What request and options ask of one relation. */
interface WantedJoin {
  readonly steps: readonly RelationStep[];
  /** Fields asked for; empty for all. */
  readonly fields: readonly string[];
  readonly on: readonly QueryFilter[];
}

/**
 * Joins what is eager and what is asked for, each after the relations on its path.
 *
 * @param honourRequired Whether `required` is honoured; a record that was just written is read back whatever its
 * relations.
 */
export function planJoins(tree: SourceTree, requested: readonly QueryJoin[], honourRequired: boolean): void {
  for (const { steps, fields, on } of wantedJoins(tree.names, requested)) {
    const source = joinAlong(tree, steps, fields, honourRequired);
    if (on.length > 0) source.on = combineBoth(source.on, planJoinCondition(tree, source, on));
  }
}

function wantedJoins(names: Names, requested: readonly QueryJoin[]): Iterable<WantedJoin> {
  const wanted = new Map<string, WantedJoin>();
  for (const [path, { eager }] of names.configured)
    if (eager) wanted.set(path, { steps: findRelation(names, path)!, fields: [], on: [] });

  const asked = new Set<string>();
  for (const { field, select = [], on = [] } of requested) {
    const steps = findRelation(names, field);
    const path = steps?.at(-1)?.path;
    if (!steps || path === undefined || !names.configured.has(path)) continue;

    const before = asked.has(path) ? wanted.get(path) : undefined;
    asked.add(path);
    // Asked for twice: all that either names, and all fields if one names none.
    const fields =
      before && (before.fields.length === 0 || select.length === 0) ? [] : [...(before?.fields ?? []), ...select];
    wanted.set(path, { steps, fields, on: before ? [...before.on, ...on] : on });
  }

  return wanted.values();
}

/** Joins every relation along a path by its own options, and selects the fields of the last. */
function joinAlong(
  tree: SourceTree,
  steps: readonly RelationStep[],
  fields: readonly string[],
  honourRequired: boolean,
): SourceDraft {
  let source = tree.root;
  for (const step of steps) {
    source = tree.join(source, step);
    const option = tree.names.configured.get(step.path);
    source.required = honourRequired && option?.required === true;
    source.returned = option?.select !== false && source.parent!.returned;
    const picked = step === steps.at(-1) ? fields : [];
    if (source.returned && (picked.length > 0 || source.columns.length === 0)) selectColumns(tree, source, picked);
  }

  return source;
}

function planJoinCondition(
  tree: SourceTree,
  source: SourceDraft,
  on: readonly QueryFilter[],
): PlannedCondition | undefined {
  const search = { $and: on.map((filter) => convertFilterToSearch({ ...filter, value: sentValue(filter, 'value') })) };

  return planCondition(search, tree, (name) => {
    // An ON clause sees the joined record alone, so that it means the same whether the relation is joined in SQL or
    // read by a statement of its own.
    const steps = findField(tree.names, name)?.steps;
    if ((steps?.at(-1)?.path ?? '') !== source.path) throw crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) });
    return tree.resolve(name);
  });
}
