/** The tree of sources of one plan while it is made, and the only maker of {@link ResolvedColumn}. */
import { type CustomOperators, speakable } from '@nestwright/crud-request';
import { crudError } from '../errors.js';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';
import { findField, type FoundField, type Names, giveAlias, getNames, type RelationStep } from './resolve-names.js';
import type { PlannedSource, ResolvedColumn } from './read-plan.js';

/** A {@link PlannedSource} that is still being filled in; planning hands it out as one when it is done. */
export type SourceDraft = { -readonly [K in keyof Omit<PlannedSource, 'joins' | 'parent'>]: PlannedSource[K] } & {
  readonly parent?: SourceDraft;
  readonly joins: SourceDraft[];
};

const NOTHING: ReadonlySet<string> = new Set();
/** Suffix of the paths of separate sources; no property has this name. */
const SEPARATE = '!';

/** What narrows the relations of a plan for clients. */
export interface SourceScope {
  /** Whether clients see only some of the records of a relation. */
  narrows(parent: SourceDraft, relation: CatalogRelation): boolean;
  /** Adds the conditions of a relation to a source that clients see, as soon as it is in the tree. */
  narrow(source: SourceDraft, tree: SourceTree): void;
}

export class SourceTree {
  readonly root: SourceDraft;
  /** Typed values of the plan so far. */
  readonly values: unknown[] = [];
  private readonly byPath = new Map<string, SourceDraft>();
  /**
   * Sources of trusted conditions alone, beside those that a client's joins and conditions share; made with the first.
   */
  private separate?: Set<SourceDraft>;
  /** Aliases that are given out, in lower case; made when the first relation that no option configures asks for one. */
  private taken?: Set<string>;

  constructor(
    readonly names: Names,
    readonly customOperators: CustomOperators | undefined,
    private readonly scope?: SourceScope,
  ) {
    this.root = makeSource('', names.aliases.get('')!, names.root);
    this.root.returned = true;
  }

  /** Resolves the name of a column; throws a 400 `CRUD_UNKNOWN_FIELD`. */
  resolve(name: string): ResolvedColumn {
    const { steps, column, jsonPath } = found(this.names, name);

    let source = this.root;
    for (const step of steps) source = this.join(source, step);

    return resolveColumn(source, column, jsonPath);
  }

  /**
   * Resolves a name of a trusted condition, which sees all related records: if a client sees only some, by a
   * separate source.
   */
  resolveTrusted(name: string): ResolvedColumn {
    const { steps, column, jsonPath } = found(this.names, name);
    let source = this.root;
    for (const step of steps) {
      source =
        this.separate?.has(source) || this.scope?.narrows(source, step.relation)
          ? this.joinApart(source, step.relation)
          : this.join(source, step);
    }

    return resolveColumn(source, column, jsonPath);
  }

  /**
   * Resolves a name of a trusted condition on the records of one source; the relations that it leads through are joined
   * for that condition.
   */
  resolveOnSource(top: SourceDraft, name: string): ResolvedColumn {
    const { steps, column, jsonPath } = found(getNames(top.catalog), name);
    const source = steps.reduce((before, { relation }) => this.joinApart(before, relation), top);

    return resolveColumn(source, column, jsonPath);
  }

  /**
   * Puts the joins of every source in the order of the options, so that equal plans are equal whatever was asked for
   * first.
   */
  sort(): void {
    const { order } = this.names;
    const position = ({ path }: SourceDraft) => order.get(path) ?? order.size;
    for (const { joins } of [this.root, ...this.byPath.values()])
      if (joins.length > 1) joins.sort((one, other) => position(one) - position(other));
  }

  /** The source of a relation of another source; made if the plan has none yet. */
  join(parent: SourceDraft, { path, relation }: RelationStep): SourceDraft {
    const known = this.byPath.get(path);
    if (known) return known;

    const source = this.add(parent, relation, path, this.names.aliases.get(path) ?? this.unconfiguredAlias(path));
    this.scope?.narrow(source, this);

    return source;
  }

  private joinApart(parent: SourceDraft, relation: CatalogRelation): SourceDraft {
    const base = parent.path === '' ? relation.path : `${parent.path}.${relation.path}`;
    const path = this.separate?.has(parent) ? base : `${base}${SEPARATE}`;
    const known = this.byPath.get(path);
    if (known) return known;

    const source = this.add(parent, relation, path, this.unconfiguredAlias(`${base.replaceAll(SEPARATE, '')}_trusted`));
    (this.separate ??= new Set()).add(source);

    return source;
  }

  private add(parent: SourceDraft, relation: CatalogRelation, path: string, alias: string): SourceDraft {
    const source = makeSource(path, alias, relation.target, relation, parent);
    this.byPath.set(path, source);
    parent.joins.push(source);

    return source;
  }

  private unconfiguredAlias(path: string): string {
    this.taken ??= new Set([...this.names.aliases.values()].map((alias) => alias.toLowerCase()));

    return giveAlias([path.replaceAll('.', '_')], this.taken);
  }
}

// All properties are written out: V8 is slow with objects that begin with a spread, here and wherever they are read.
function makeSource(
  path: string,
  alias: string,
  catalog: Catalog,
  relation?: CatalogRelation,
  parent?: SourceDraft,
): SourceDraft {
  return {
    path,
    alias,
    catalog,
    relation,
    parent,
    toMany: parent?.toMany === true || relation?.toMany === true,
    returned: false,
    columns: [],
    hidden: NOTHING,
    required: false,
    joins: [],
  };
}

function found(names: Names, name: string): FoundField {
  const field = findField(names, name);
  if (!field) throw crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) });

  return field;
}

const NO_PATH: readonly string[] = [];

/** Makes a resolved column, the only kind that adapters accept; nothing else does. */
export function resolveColumn(
  source: PlannedSource,
  column: CatalogColumn,
  jsonPath: readonly string[] = NO_PATH,
): ResolvedColumn {
  // The brand exists for the compiler alone.
  return { source, column, jsonPath } as ResolvedColumn;
}

/** The property path of a resolved column from the root, for messages; a client's JSON keys are not repeated. */
export function printColumnPath({ source, column }: ResolvedColumn): string {
  return source.path ? `${source.path}.${column.path}` : column.path;
}
