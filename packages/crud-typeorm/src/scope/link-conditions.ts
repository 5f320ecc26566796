import {
  type CatalogRelation,
  getOrInsert,
  isOwnEntity,
  type RelationScopes,
  relationScopes,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import { catalogOf, entityMetadataOf, metadataOf, relationMetadataOf } from '../catalog/catalog.js';
import type { WriteContext } from '../statements/write-context.js';

/** The conditions of one request on the records that bodies may link to. */
export class LinkConditions {
  private readonly conditions = new Map<RelationMetadata, SCondition | undefined>();
  private readonly owned = new Map<EntityMetadata, readonly RelationMetadata[]>();

  constructor(
    private readonly scopes?: RelationScopes,
    /** Foreign keys that the application sets, not the client. */
    private readonly isSet: (relation: RelationMetadata) => boolean = () => false,
  ) {}

  /** The condition on the records of a relation; undefined if all are in reach. */
  on(relation: RelationMetadata): SCondition | undefined {
    if (!this.scopes) return undefined;

    if (!this.conditions.has(relation)) {
      const owner = catalogOf(relation.entityMetadata);
      const planned = owner.relations.get(relation.propertyPath);

      this.conditions.set(relation, planned && this.scopes.linking(owner, planned));
    }

    return this.conditions.get(relation);
  }

  /** Relations under a condition whose foreign keys an entity has, except those that the application sets. */
  ownedBy(metadata: EntityMetadata): readonly RelationMetadata[] {
    if (!this.scopes) return [];

    return getOrInsert(this.owned, metadata, () =>
      metadata.relations.filter(
        (relation) => relation.isWithJoinColumn && this.on(relation) !== undefined && !this.isSet(relation),
      ),
    );
  }

  /** Whether a plan links, unlinks or cascades through a relation under a condition, at any depth. */
  concern({ catalog, values, links, cascades, unlinks = [] }: WritePlan): boolean {
    if (!this.scopes) return false;

    const isLimited = (relation: CatalogRelation) => this.on(relationMetadataOf(relation)) !== undefined;
    const set = new Set(values.flatMap(({ column, value }) => (value === null ? [] : [metadataOf(column)])));

    return (
      this.ownedBy(entityMetadataOf(catalog)).some(({ joinColumns }) =>
        joinColumns.some((column) => set.has(column)),
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
export function linkConditionsOf({ request, catalog }: Pick<WriteContext, 'request' | 'catalog'>): LinkConditions {
  if (!request.parsed.authRelations && request.linkScope === undefined) return NONE;

  const persisted = new Set(Object.keys((request.parsed.authPersist as object | undefined) ?? {}));
  const isSet = ({ entityMetadata, propertyPath, joinColumns }: RelationMetadata) =>
    isOwnEntity(catalog, catalogOf(entityMetadata)) &&
    (persisted.has(propertyPath) || joinColumns.every((column) => persisted.has(column.propertyPath)));

  return new LinkConditions(relationScopes(request, catalog), isSet);
}
