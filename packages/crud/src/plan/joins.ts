/** Adds the sources that the joins of a request need to the tree. Relations that no option configures are ignored. */
import {
  convertFilterToSearch,
  type CustomOperators,
  type QueryFilter,
  type QueryJoin,
  speakable,
} from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import { crudError } from '../errors/errors.js';
import { getOrInsert } from '../get-or-insert.js';
import { bothOf, planCondition } from './condition.js';
import { findField, findRelation, type Names, type RelationStep } from './resolve-names.js';
import { applyProjection, projectColumns, projectKey, type Projection } from './projection.js';
import type { SourceDraft, SourceTree } from './sources.js';
import { sentValue } from './typed-values.js';

/** What request and options ask of one relation. */
interface WantedJoin {
  readonly steps: readonly RelationStep[];
  /** Fields asked for; empty for all. */
  fields: readonly string[];
  on: readonly QueryFilter[];
}

/** What joining needs beside the tree. */
export interface JoinContext {
  readonly values: unknown[];
  readonly customOperators?: CustomOperators;
  /** Whether `required` is honoured; a record that was just written is read back whatever its relations. */
  readonly honourRequired: boolean;
}

const defaults = new WeakMap<Names, Map<string, Projection>>();

/** Joins what is eager and what is asked for, each after the relations on its path. */
export function planJoins(tree: SourceTree, requested: readonly QueryJoin[], context: JoinContext): void {
  for (const { steps, fields, on } of wantedJoins(tree.names, requested)) {
    joinAlong(tree, steps, context);
    const source = tree.at(steps);
    if (fields.length > 0 && source.returned)
      applyProjection(source, projectColumns(source.catalog, tree.names.configured.get(source.path)!, fields));
    if (on.length > 0) source.on = bothOf(source.on, planOn(tree, source, on, context));
  }
}

/** The projection of a source whose fields nobody picks. */
function defaultProjection(names: Names, path: string, make: () => Projection): Projection {
  return getOrInsert(
    getOrInsert(defaults, names, () => new Map<string, Projection>()),
    path,
    make,
  );
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
    if (!before) {
      wanted.set(path, { steps, fields: select, on });
    } else {
      // Asked for twice: all that either names, and all fields if one names none.
      before.fields = before.fields.length > 0 && select.length > 0 ? [...before.fields, ...select] : [];
      before.on = [...before.on, ...on];
    }
  }

  return wanted.values();
}

/** Joins every relation along a path by its own options; of an unconfigured one, only the key is read. */
function joinAlong(tree: SourceTree, steps: readonly RelationStep[], { honourRequired }: JoinContext): void {
  const { names } = tree;
  steps.forEach(({ path }, index) => {
    const source = tree.at(steps.slice(0, index + 1));
    const option = names.configured.get(path);
    source.required = honourRequired && option?.required === true;
    source.returned = option?.select !== false && source.parent?.returned === true;
    if (!source.returned || source.columns.length > 0) return;

    applyProjection(
      source,
      defaultProjection(names, path, () =>
        option ? projectColumns(source.catalog, option) : projectKey(source.catalog),
      ),
    );
  });
}

function planOn(
  tree: SourceTree,
  source: SourceDraft,
  on: readonly QueryFilter[],
  { values, customOperators }: JoinContext,
): SourceDraft['on'] {
  return planCondition(
    { $and: on.map((filter) => convertFilterToSearch({ ...filter, value: sentValue(filter, 'value') })) },
    {
      model: tree.root.catalog.model,
      values,
      customOperators,
      resolve: (name) => {
        // An ON clause sees the joined record alone, so that it means the same whether the relation is joined in SQL or
        // read by a statement of its own.
        const steps = findField(tree.names, name)?.steps;
        if ((steps?.at(-1)?.path ?? '') !== source.path)
          throw crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) });
        return tree.resolve(name);
      },
    },
  );
}

/** The root's projection. */
export function planRoot(tree: SourceTree, fields: readonly string[], query: QueryOptions): void {
  const { root, names } = tree;
  const make = () => projectColumns(root.catalog, query, fields);

  applyProjection(root, fields.length > 0 ? make() : defaultProjection(names, '', make));
}
