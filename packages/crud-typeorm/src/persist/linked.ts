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
  item: PlannedCascadeItem,
  linked: readonly ObjectLiteral[],
  { relation, path }: Place,
  ties?: Changes,
): Promise<string | undefined> {
  const target = relation.inverseEntityMetadata;
  const changes = item.key ? item.plan : item.update;
  const meant = linked.find((record) => means(item, record));

  if (!meant || !changes) {
    return undefined;
  }

  if (changes.values.length + changes.links.length + changes.cascades.length > 0) {
    graph.reach.note(relation, { record: meant, path });
  }

  await graph.update(
    { metadata: target, key: keyOf(target, meant) ?? {}, path },
    changes,
    changes.values.length > 0 ? ties : undefined,
  );

  return textOf(target, meant);
}

/** Whether an item means a linked record: by the key that it names; one without a key means the only one there can be. */
export function means({ key, ownKey, update }: PlannedCascadeItem, record: ObjectLiteral): boolean {
  const named = key ?? ownKey;

  return named ? hasValues(record, named) : update !== undefined;
}

function hasValues(record: ObjectLiteral, key: PlannedKey): boolean {
  const columns = key.map(({ column }) => metadataOf(column));

  return keyText(valuesOf(columns, record)) === keyText(key.map(({ value }) => value));
}
