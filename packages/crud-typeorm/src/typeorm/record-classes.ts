import type { RecordClass } from '@nestwright/crud/adapter';
import type { EntityMetadata } from 'typeorm';

type EmbeddedMetadata = EntityMetadata['embeddeds'][number];

/** The entity's own class, then those of the entities that inherit from it in its table. */
export function buildRecordClasses(metadata: EntityMetadata): readonly RecordClass[] {
  return Object.freeze([metadata, ...metadata.childEntityMetadatas].map(buildRecordClass));
}

function buildRecordClass({
  target,
  columns,
  relations,
  embeddeds,
  childEntityMetadatas,
}: EntityMetadata): RecordClass {
  // An entity's metadata includes the columns of inheriting entities, which its own records do not have.
  const foreign = new Set<unknown>(childEntityMetadatas.map((child) => child.target));
  const held = [...columns.filter(({ isVirtual }) => !isVirtual), ...relations].filter(
    (property) => !foreign.has(property.target),
  );

  return Object.freeze({
    target,
    paths: new Set(held.map(({ propertyPath }) => propertyPath)),
    // TypeORM puts a getter in their place on the class.
    assigned: new Set(relations.filter(({ isLazy }) => isLazy).map(({ propertyPath }) => propertyPath)),
    embedded: new Map(embeddeds.flatMap(withNested).map(({ propertyPath, type }) => [propertyPath, type])),
  });
}

function withNested(embedded: EmbeddedMetadata): EmbeddedMetadata[] {
  return [embedded, ...embedded.embeddeds.flatMap(withNested)];
}
