/** A cascading item and the records that are linked already go in, the one that the item means is updated; a record that is not linked is never touched. */
import type { PlannedCascadeItem, PlannedKey } from '@nestwright/crud';
import type { ObjectLiteral } from 'typeorm';
import { metadataOf } from '../catalog/catalog.js';
import type { Changes } from './changes.js';
import { type Graph, type Place, textOf } from './graph.js';
import { keyOf, keyText, valuesOf } from './values.js';

/** Updates the linked record that an item means, and answers with its key; undefined where it means none of them. */
export async function updateLinked(
  graph: Graph,
  { key, ownKey, plan, update }: PlannedCascadeItem,
  linked: readonly ObjectLiteral[],
  { relation, path }: Place,
  ties?: Changes,
): Promise<string | undefined> {
  const target = relation.inverseEntityMetadata;
  const changes = key ? plan : update;
  const named = key ?? ownKey;
  const meant = named ? linked.find((record) => hasValues(record, named)) : update && linked[0];

  if (!meant || !changes) {
    return undefined;
  }

  await graph.update(
    { metadata: target, key: keyOf(target, meant) ?? {}, path },
    changes,
    changes.values.length > 0 ? ties : undefined,
  );

  return textOf(target, meant);
}

function hasValues(record: ObjectLiteral, key: PlannedKey): boolean {
  const columns = key.map(({ column }) => metadataOf(column));

  return keyText(valuesOf(columns, record)) === keyText(key.map(({ value }) => value));
}
