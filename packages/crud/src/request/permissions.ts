/** What a client may name. Unknown and forbidden names are answered alike. */
import type { AggregateFunction, DateUnit } from '@nestwright/crud-request';
import { aggregates, groupsBy } from '../plan/aggregate-options.js';
import type { JoinOption, QueryOptions } from '../definition/query-options.js';
import { ancestorsOf } from '../plan/property-paths.js';
import type { Catalog } from '../plan/catalog.js';
import { findField, findRelation, type Names, namesOf, type RelationStep } from '../plan/resolve-names.js';
import {
  anyCovers,
  covers,
  fullPath,
  isComparable,
  isNameable,
  isOpen,
  isSelectable,
  type Shows,
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
  /** In `fields`: a column of the root, or an embedded object with one that may be selected. */
  maySelect(name: string): boolean;
  mayJoin(relation: string): boolean;
  /** In the field list of a join that may be joined. */
  maySelectOf(relation: string, name: string): boolean;
  /** Whether a name is a key into a JSON column, whose values have no declared type. */
  isJsonKey(name: string): boolean;
  /** Names that are returned whatever is selected; of the root, or of a relation. */
  keyOf(relation?: string): readonly string[];
}

/**
 * What a client of a resource may name.
 *
 * @param shows What the answers to the request show, as far as classes decide it. Default: everything.
 */
export function permissionsOf(
  query: QueryOptions,
  catalog: Catalog | undefined,
  shows: Shows = () => true,
): Permissions {
  return catalog ? new CatalogPermissions(namesOf(catalog, query), query, shows) : new OptionPermissions(query);
}

/** Decides by the catalog; names are resolved as in planning. */
class CatalogPermissions implements Permissions {
  constructor(
    private readonly names: Names,
    private readonly query: QueryOptions,
    private readonly shows: Shows,
  ) {}

  mayCompare(name: string): boolean {
    const found = findField(this.names, name);
    const access = found && this.accessAt(found.steps.at(-1)?.path);

    return access !== undefined && isComparable(access, found!, this.shows, this.query.conditions);
  }

  mayShow(name: string): boolean {
    const found = findField(this.names, name);
    const access = found && this.accessAt(found.steps.at(-1)?.path);

    return (
      access !== undefined &&
      isSelectable(access, found!.column) &&
      // A relation that is joined for conditions alone is in no answer.
      found!.steps.every(({ path }) => this.names.configured.get(path)?.select !== false) &&
      this.shows(found!, true)
    );
  }

  mayGroup(name: string, unit: DateUnit | undefined): boolean {
    return this.mayShow(name) && groupsBy(this.query, this.pathOf(name), unit, (listed) => this.pathOf(listed));
  }

  mayAggregate(name: AggregateFunction, field: string): boolean {
    return (
      (field === '*' || this.mayShow(field)) &&
      aggregates(this.query, name, this.pathOf(field), (listed) => this.pathOf(listed))
    );
  }

  maySelect(name: string): boolean {
    return this.selects([], this.query, name);
  }

  mayJoin(relation: string): boolean {
    return this.accessOf(relation) !== undefined;
  }

  maySelectOf(relation: string, name: string): boolean {
    const access = this.accessOf(relation);
    const steps = findRelation(this.names, relation);

    return access !== undefined && steps !== undefined && this.selects(steps, access, name);
  }

  isJsonKey(name: string): boolean {
    const found = findField(this.names, name);

    return found !== undefined && found.jsonPath.length > 0;
  }

  keyOf(relation?: string): readonly string[] {
    const catalog =
      relation === undefined ? this.names.root : findRelation(this.names, relation)?.at(-1)?.relation.target;

    return (catalog?.primary ?? []).map(({ path }) => path);
  }

  /** The canonical path of a name; an unknown name stays as it is. */
  private pathOf(name: string): string {
    const found = findField(this.names, name);

    return found && found.jsonPath.length === 0 ? fullPath(found) : name;
  }

  private accessOf(relation: string): FieldAccess | undefined {
    const steps = findRelation(this.names, relation);

    return steps && this.accessAt(steps.at(-1)?.path);
  }

  /** Only what the options configure is open to clients; a relation needs its own entry, those before it do not. */
  private accessAt(path: string | undefined): FieldAccess | undefined {
    return path === undefined ? this.query : this.names.configured.get(path);
  }

  private selects(steps: readonly RelationStep[], access: FieldAccess, name: string): boolean {
    const { columns } = steps.at(-1)?.relation.target ?? this.names.root;

    for (const column of columns.values()) {
      if (!covers(name, column.path)) continue;
      if (isNameable(access, { steps, column }, this.shows, this.query.conditions)) return true;
    }

    return false;
  }
}

/** Decides by the options alone, for services without a catalog: what no list forbids is open. */
class OptionPermissions implements Permissions {
  constructor(private readonly query: QueryOptions) {}

  mayCompare(name: string): boolean {
    const [access, rest] = this.locate(name);

    return anyCovers(this.query.conditions, name) || isNamed(access, rest);
  }

  mayShow(name: string): boolean {
    const [access, rest] = this.locate(name);

    return access.select !== false && isNamed(access, rest);
  }

  mayGroup(name: string, unit: DateUnit | undefined): boolean {
    return this.mayShow(name) && groupsBy(this.query, name, unit);
  }

  mayAggregate(name: AggregateFunction, field: string): boolean {
    return (field === '*' || this.mayShow(field)) && aggregates(this.query, name, field);
  }

  maySelect(name: string): boolean {
    return isNamed(this.query, name);
  }

  mayJoin(relation: string): boolean {
    return this.joinOf(relation) !== undefined;
  }

  maySelectOf(relation: string, name: string): boolean {
    const access = this.joinOf(relation);

    return access !== undefined && isNamed(access, name);
  }

  isJsonKey(): boolean {
    return false;
  }

  keyOf(): readonly string[] {
    return [];
  }

  /** The longest configured relation that a name begins with, and what of the name is left. */
  private locate(name: string): [FieldAccess & Pick<JoinOption, 'select'>, string] {
    for (const relation of ancestorsOf(name).reverse()) {
      const join = this.joinOf(relation);
      if (join) return [join, name.slice(relation.length + 1)];
    }

    return [this.query, name];
  }

  private joinOf(relation: string): JoinOption | undefined {
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
