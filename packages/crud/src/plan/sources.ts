/** The tree of sources of one plan while it is made: relation paths in, each source once with its alias, and the only maker of {@link ResolvedColumn}; refuses unknown names. */
import { speakable } from '@nestwright/crud-request';
import { crudError } from '../errors/errors.js';
import type { CatalogColumn } from './catalog.js';
import { findField, type Names, type RelationStep, strayAlias } from './names.js';
import type { PlannedSource, ResolvedColumn } from './read-plan.js';

/** A {@link PlannedSource} that is still being filled in; planning hands it out as one when it is done. */
export type SourceDraft = { -readonly [K in keyof Omit<PlannedSource, 'joins' | 'parent'>]: PlannedSource[K] } & {
  readonly parent?: SourceDraft;
  readonly joins: SourceDraft[];
};

const NOTHING: ReadonlySet<string> = new Set();

export class SourceTree {
  readonly root: SourceDraft;
  private readonly byPath = new Map<string, SourceDraft>();
  /** Aliases that are given out, in lower case; made when the first relation that no option configures asks for one. */
  private taken?: Set<string>;

  constructor(readonly names: Names) {
    this.root = {
      path: '',
      alias: names.aliases.get('')!,
      catalog: names.root,
      toMany: false,
      returned: true,
      columns: [],
      hidden: NOTHING,
      required: false,
      joins: [],
    };
  }

  /** The source at the end of some steps; made, with all before it, where the plan has none yet. */
  at(steps: readonly RelationStep[]): SourceDraft {
    let source = this.root;
    for (const step of steps) source = this.byPath.get(step.path) ?? this.join(source, step);

    return source;
  }

  /** Resolves the name of a column; throws a 400 `CRUD_UNKNOWN_FIELD`. */
  resolve(name: string): ResolvedColumn {
    const found = findField(this.names, name);
    if (!found) throw crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) });

    return resolveColumn(this.at(found.steps), found.column, found.jsonPath);
  }

  /** Puts the joins of every source in the order of the options, so that equal plans are equal whatever was asked for first. */
  sort(): void {
    const { order } = this.names;
    const position = ({ path }: SourceDraft) => order.get(path) ?? order.size;
    for (const { joins } of [this.root, ...this.byPath.values()]) {
      if (joins.length > 1) joins.sort((one, other) => position(one) - position(other));
    }
  }

  private join(parent: SourceDraft, { path, relation }: RelationStep): SourceDraft {
    const source: SourceDraft = {
      path,
      alias: this.names.aliases.get(path) ?? this.strayAlias(path),
      catalog: relation.target,
      relation,
      parent,
      toMany: parent.toMany || relation.toMany,
      returned: false,
      columns: [],
      hidden: NOTHING,
      required: false,
      joins: [],
    };
    this.byPath.set(path, source);
    parent.joins.push(source);

    return source;
  }

  private strayAlias(path: string): string {
    this.taken ??= new Set([...this.names.aliases.values()].map((alias) => alias.toLowerCase()));
    const alias = strayAlias(path, this.taken);
    this.taken.add(alias.toLowerCase());

    return alias;
  }
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
export function pathOf({ source, column }: ResolvedColumn): string {
  return source.path ? `${source.path}.${column.path}` : column.path;
}
