import type { CrudRequest } from '@nestwright/crud';
import {
  type Catalog,
  type CatalogColumn,
  type CatalogRelation,
  getOrInsert,
  isOwnEntity,
  isShownByClass,
  optionsOf,
  type RelationScopes,
  relationScopes,
  unreadColumnsOf,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { WriteContext } from '../statements/write-context.js';
import { getCatalog, getColumn, getRelation, getTable } from '../database/links.js';
import type { Column, Relation, Table } from '../database/database.js';

/** The conditions of one request on the records that bodies may link to. */
export class LinkConditions {
  private readonly conditions = new Map<Relation, SCondition | undefined>();
  private readonly owned = new Map<Table, readonly Relation[]>();

  constructor(
    private readonly scopes?: RelationScopes,
    /** Foreign keys that the application sets, not the client. */
    private readonly isSet: (relation: Relation) => boolean = () => false,
    /** Whether answers do not show a column of the foreign key: then clients cannot know what is stored. */
    readonly hidesKey: (relation: Relation) => boolean = () => false,
  ) {}

  /** The condition on the records of a relation; undefined if all are in reach. */
  on(relation: Relation): SCondition | undefined {
    if (!this.scopes) return undefined;

    if (!this.conditions.has(relation)) {
      const owner = getCatalog(relation.table);
      const planned = owner.relations.get(relation.propertyPath);

      this.conditions.set(relation, planned && this.scopes.linking(owner, planned));
    }

    return this.conditions.get(relation);
  }

  /** Relations under a condition whose foreign keys an entity has, except those that the application sets. */
  listOwnedRelations(table: Table): readonly Relation[] {
    if (!this.scopes) return [];

    return getOrInsert(this.owned, table, () =>
      table.relations.filter(
        (relation) => relation.isWithJoinColumn && this.on(relation) !== undefined && !this.isSet(relation),
      ),
    );
  }

  /** Whether a plan links, unlinks or cascades through a relation under a condition, at any depth. */
  concern({ catalog, values, links, cascades, unlinks = [] }: WritePlan): boolean {
    if (!this.scopes) return false;

    const isLimited = (relation: CatalogRelation) => this.on(getRelation(relation)) !== undefined;
    const given = new Map(values.map(({ column, value }) => [getColumn(column), value]));
    const isGiven = (column: Column, relation: Relation) =>
      given.has(column) && (given.get(column) !== null || this.hidesKey(relation));

    return (
      this.listOwnedRelations(getTable(catalog)).some((relation) =>
        relation.joinColumns.some((column) => isGiven(column, relation)),
      ) ||
      unlinks.some(({ relation }) => isLimited(relation)) ||
      links.some(({ relation }) => isLimited(relation)) ||
      cascades.some(
        ({ relation, items }) =>
          isLimited(relation) ||
          items.some(({ plan, update }) => this.concern(plan) || (update !== undefined && this.concern(update))),
      )
    );
  }
}

const NONE = new LinkConditions();

/** The conditions of a request on the records that bodies may link to. */
export function makeLinkConditions({ request, catalog }: Pick<WriteContext, 'request' | 'catalog'>): LinkConditions {
  if (!request.parsed.authRelations && request.linkScope === undefined) return NONE;

  const persisted = new Set(Object.keys((request.parsed.authPersist as object | undefined) ?? {}));
  const isSet = ({ table, propertyPath, joinColumns }: Relation) =>
    isOwnEntity(catalog, getCatalog(table)) &&
    (persisted.has(propertyPath) || joinColumns.every((column) => persisted.has(column.propertyPath)));

  return new LinkConditions(relationScopes(request, catalog), isSet, (relation) =>
    hidesKey(relation, request, catalog),
  );
}

function hidesKey({ table, joinColumns }: Relation, request: CrudRequest, root: Catalog): boolean {
  const owner = getCatalog(table, root);
  const unread = unreadColumnsOf(owner, root, optionsOf(request)?.query);
  const isHidden = isOwnEntity(root, owner)
    ? ({ path }: CatalogColumn) => request.hiddenKeys?.includes(path) === true
    : (column: CatalogColumn) => unread.has(column.path) || !isShownByClass(owner, column);

  return joinColumns.some(({ propertyPath }) => {
    const column = owner.columns.get(propertyPath);

    // A foreign key without a property is in no answer.
    return column === undefined || isHidden(column);
  });
}
