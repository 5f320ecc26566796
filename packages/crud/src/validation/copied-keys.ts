/** Foreign keys that a body gives by its relations (`company: { id: 1 }`), copied to their columns while it is validated. */
import type { BodyScope } from '../plan/body-scope.js';
import type { CatalogReference, CatalogRelation } from '../plan/catalog.js';
import { type Body, isRecordBody } from './plain-body.js';

/** A foreign key that is null because its relation is. */
export interface CopiedNull {
  readonly relation: string;
  readonly column: string;
}

/**
 * Copies foreign keys from the relations in a body: `company: { id: 1 }` sets `companyId: 1`, unless the body has it.
 * Returns the nulls, which are validated but not stored: a null relation may keep a link out of reach, a null column
 * does not.
 */
export function copyForeignKeys(body: Body, { catalog }: BodyScope): CopiedNull[] {
  const nulls: CopiedNull[] = [];

  for (const relation of catalog?.relations.values() ?? []) {
    const related = Object.hasOwn(body, relation.path) ? body[relation.path] : undefined;
    if (related === undefined) continue;

    for (const reference of relation.references) {
      const { column } = reference;
      if (!catalog?.columns.has(column.path) || Object.hasOwn(body, column.path)) continue;

      const key = keyIn(related, relation, reference);
      if (key !== undefined) body[column.path] = key;
      if (key === null) nulls.push({ relation: relation.path, column: column.path });
    }
  }

  return nulls;
}

/** Removes the nulls that {@link copyForeignKeys} added. */
export function dropCopiedNulls(body: Body, nulls: readonly CopiedNull[]): void {
  for (const { relation, column } of nulls)
    if (body[relation] === null && body[column] === null) Reflect.deleteProperty(body, column);
}

function keyIn(related: unknown, { references }: CatalogRelation, { references: target }: CatalogReference): unknown {
  if (isRecordBody(related)) return Object.hasOwn(related, target.path) ? related[target.path] : undefined;
  if (Array.isArray(related)) return undefined;

  return related === null || references.length === 1 ? related : undefined;
}
