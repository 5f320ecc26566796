/** What a client may name. Unknown and forbidden names are answered alike. */
import type { AggregateFunction, DateUnit, QueryJoin } from '@nestwright/crud-request';
import { aggregates, allowsGroup } from '../aggregate/options.js';
import type { JoinOption, QueryOptions } from '../definition/query-options.js';
import { listEnclosingPaths } from '../definition/plain-objects.js';
import type { Catalog } from '../plan/catalog.js';
import {
  findField,
  findRelation,
  type FoundField,
  getNames,
  keepShortNames,
  type Names,
  namesInJoins,
  type RelationStep,
} from '../plan/resolve-names.js';
import {
  anyCovers,
  covers,
  fullPath,
  isComparable,
  isNameable,
  isOpen,
  isSelectable,
  type JudgePath,
  type FieldAccess,
} from '../plan/column-access.js';

export interface Permissions {
  /** In a condition or a sort: a column of the root or of a configured relation, a key into a JSON column. */
  mayCompare(name: string): boolean;
  /** By a cursor: what answers show as it is stored. */
  mayShow(name: string): boolean;
  /** In `groupBy`: what `query.aggregate` names, and answers show as it is stored. */
  mayGroup(name: string, unit: DateUnit | undefined): boolean;
  /** In `aggregate`: likewise; `*` means the records themselves. */
  mayAggregate(name: AggregateFunction, field: string): boolean;
  /**
   * In `fields`, or in the field list of a relation that may be joined: a column, or an embedded object with one that
   * may be selected.
   */
  maySelect(name: string, relation?: string): boolean;
  mayJoin(relation: string): boolean;
  /** Whether a name is a key into a JSON column, whose values have no declared type. */
  isJsonKey(name: string): boolean;
  /** Names that are returned whatever is selected; of the root, or of a relation. */
  listKeyPaths(relation?: string): readonly string[];
  /**
   * The same for a request with these joins: in its conditions and sorts, only joined relations go by the last segment
   * of their path.
   */
  withJoins(joins: readonly QueryJoin[]): Permissions;
  /** The full path of a field that may be compared, but not by this name: its relation is not joined. */
  findFullName(name: string): string | undefined;
  /** Relations that may be joined by a path that ends in this name. */
  findRelationsBySuffix(name: string): readonly string[];
}

/**
 * What a client of a resource may name, if all relations are joined.
 *
 * @param judge What the answers to the request show, as far as classes decide it. Default: everything.
 */
export function makePermissions(
  query: QueryOptions,
  catalog: Catalog | undefined,
  judge: JudgePath = () => 'shown',
): Permissions {
  return catalog ? new CatalogPermissions(getNames(catalog, query), query, judge) : new OptionPermissions(query);
}

/** Decides by the catalog; names are resolved as in planning. */
class CatalogPermissions implements Permissions {
  private readonly joinNames: Names;
  /**
   * Names that were permitted, in conditions, `fields` and joins; names that are refused may be any, and so may keys in
   * JSON.
   */
  private readonly compared = new Set<string>();
  /** Field, and relation; no relation that may be joined has a null character in its name. */
  private readonly selected = new Set<string>();
  private readonly joined = new Set<string>();

  constructor(
    private readonly names: Names,
    private readonly query: QueryOptions,
    private readonly judge: JudgePath,
    /** In conditions and sorts. */
    private readonly comparedNames: Names = names,
  ) {
    this.joinNames = namesInJoins(names, query);
  }

  withJoins(joins: readonly QueryJoin[]): Permissions {
    const { names, query, judge, joinNames } = this;
    if (joinNames.shortNames.size === names.shortNames.size) return this;

    const asked = joins.flatMap(({ field }) => findRelation(joinNames, field)?.at(-1)?.path ?? []);
    const eager = [...names.configured].flatMap(([path, option]) => (option.eager ? path : []));

    return new CatalogPermissions(names, query, judge, keepShortNames(names, new Set([...asked, ...eager])));
  }

  mayCompare(name: string): boolean {
    if (this.compared.has(name)) return true;
    const found = this.findComparable(this.comparedNames, name);
    if (found && found.jsonPath.length === 0) this.compared.add(name);

    return found !== undefined;
  }

  findFullName(name: string): string | undefined {
    const found = this.findComparable(this.names, name);

    return found && [fullPath(found), ...found.jsonPath].join('.');
  }

  findRelationsBySuffix(name: string): readonly string[] {
    return [...this.names.configured.keys()].filter((path) => path.endsWith(`.${name}`));
  }

  mayShow(name: string): boolean {
    const found = findField(this.names, name);
    const access = this.findAccess(found?.steps);

    return (
      access !== undefined &&
      isSelectable(access, found!.column) &&
      // A relation that is joined for conditions alone is in no answer.
      found!.steps.every(({ path }) => this.names.configured.get(path)?.select !== false) &&
      this.judge(found!) === 'shown'
    );
  }

  mayGroup(name: string, unit: DateUnit | undefined): boolean {
    return (
      this.mayShow(name) && allowsGroup(this.query, this.resolvePath(name), unit, (listed) => this.resolvePath(listed))
    );
  }

  mayAggregate(name: AggregateFunction, field: string): boolean {
    return (
      (field === '*' || this.mayShow(field)) &&
      aggregates(this.query, name, this.resolvePath(field), (listed) => this.resolvePath(listed))
    );
  }

  maySelect(name: string, relation = ''): boolean {
    return learn(this.selected, `${relation}\0${name}`, () => {
      const steps = relation === '' ? [] : findRelation(this.joinNames, relation);
      const access = this.findAccess(steps);

      return access !== undefined && this.selects(steps!, access, name);
    });
  }

  mayJoin(relation: string): boolean {
    return learn(this.joined, relation, () => this.findAccess(findRelation(this.joinNames, relation)) !== undefined);
  }

  isJsonKey(name: string): boolean {
    const found = this.compared.has(name) ? undefined : findField(this.names, name);

    return found !== undefined && found.jsonPath.length > 0;
  }

  listKeyPaths(relation?: string): readonly string[] {
    const catalog =
      relation === undefined ? this.names.root : findRelation(this.joinNames, relation)?.at(-1)?.relation.target;

    return (catalog?.primary ?? []).map(({ path }) => path);
  }

  private findComparable(names: Names, name: string): FoundField | undefined {
    const found = findField(names, name);
    const access = this.findAccess(found?.steps);

    return access && isComparable(access, found!, this.judge, this.query.conditions) ? found : undefined;
  }

  /** The canonical path of a name; an unknown name stays as it is. */
  private resolvePath(name: string): string {
    const found = findField(this.names, name);

    return found && found.jsonPath.length === 0 ? fullPath(found) : name;
  }

  /** Only what the options configure is open to clients; a relation needs its own entry, those before it do not. */
  private findAccess(steps: readonly RelationStep[] | undefined): FieldAccess | undefined {
    const last = steps?.at(-1);
    if (!last) return steps && this.query;

    return this.names.configured.get(last.path);
  }

  private selects(steps: readonly RelationStep[], access: FieldAccess, name: string): boolean {
    const { columns } = steps.at(-1)?.relation.target ?? this.names.root;

    for (const column of columns.values()) {
      if (!covers(name, column.path)) continue;
      if (isNameable(access, { steps, column }, this.judge, this.query.conditions)) return true;
    }

    return false;
  }
}

/** Decides once on what is permitted. */
function learn(permitted: Set<string>, name: string, decide: () => boolean): boolean {
  const isPermitted = permitted.has(name) || decide();
  if (isPermitted) permitted.add(name);

  return isPermitted;
}

/**
 * Decides by the options alone, for services without a catalog: what no list forbids is open. Relations go by path and
 * alias only.
 */
class OptionPermissions implements Permissions {
  constructor(private readonly query: QueryOptions) {}

  withJoins(): Permissions {
    return this;
  }

  findFullName(): undefined {
    return undefined;
  }

  findRelationsBySuffix(name: string): readonly string[] {
    return Object.keys(this.query.join ?? {}).filter((path) => path.endsWith(`.${name}`));
  }

  mayCompare(name: string): boolean {
    const [access, rest] = this.locate(name);

    return anyCovers(this.query.conditions, name) || isNamed(access, rest);
  }

  mayShow(name: string): boolean {
    const [access, rest] = this.locate(name);

    return access.select !== false && isNamed(access, rest);
  }

  mayGroup(name: string, unit: DateUnit | undefined): boolean {
    return this.mayShow(name) && allowsGroup(this.query, name, unit);
  }

  mayAggregate(name: AggregateFunction, field: string): boolean {
    return (field === '*' || this.mayShow(field)) && aggregates(this.query, name, field);
  }

  maySelect(name: string, relation?: string): boolean {
    const access = relation === undefined ? this.query : this.findJoin(relation);

    return access !== undefined && isNamed(access, name);
  }

  mayJoin(relation: string): boolean {
    return this.findJoin(relation) !== undefined;
  }

  isJsonKey(): boolean {
    return false;
  }

  listKeyPaths(): readonly string[] {
    return [];
  }

  /** The longest configured relation that a name begins with, and what of the name is left. */
  private locate(name: string): [FieldAccess & Pick<JoinOption, 'select'>, string] {
    for (const relation of listEnclosingPaths(name).reverse()) {
      const join = this.findJoin(relation);
      if (join) return [join, name.slice(relation.length + 1)];
    }

    return [this.query, name];
  }

  private findJoin(relation: string): JoinOption | undefined {
    const joins = Object.entries(this.query.join ?? {});

    return joins.find(([path, { alias }]) => path === relation || alias === relation)?.[1];
  }
}

/** A name is open unless it is excluded, lies under what is, or holds it. */
function isNamed(access: FieldAccess, name: string): boolean {
  if (name.includes('\0') || name.split('.').includes('')) return false;
  const holdsExcluded = (access.exclude ?? []).some((excluded) => covers(name, excluded));

  return !holdsExcluded && isOpen(access, name);
}
