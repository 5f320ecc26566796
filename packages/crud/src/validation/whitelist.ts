import { isObject } from '../definition/plain-objects.js';
import type { Catalog } from '../plan/catalog.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import { ancestryOf, propertyType } from '../nest/metadata.js';
import { declaredProperties } from './declared-properties.js';

/**
 * Removes what the class of a body, and the classes of the objects in it, do not declare. What a `@Transform()` has made of a value by itself is left as it is.
 *
 * @param isKept Whether a property counts as declared. Default: none does.
 */
export function dropUndeclared(
  made: object,
  catalog: Catalog | undefined,
  isKept: (name: string) => boolean = () => false,
): void {
  const type = made.constructor;
  const declared = declaredProperties(type, catalog);

  for (const [name, value] of Object.entries(made)) {
    if (declared && !declared.has(name) && !isKept(name)) Reflect.deleteProperty(made, name);
    else if (isObject(value)) dropBelow(value, { type, name, catalog });
  }
}

interface Holder {
  readonly type: object;
  readonly name: string;
  readonly catalog: Catalog | undefined;
}

function dropBelow(value: object, holder: Holder): void {
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item)) dropBelow(item, holder);
  } else if (!isPlain(value) && !ArrayBuffer.isView(value) && describesBody(value, holder)) {
    const discriminator = discriminatorOf(holder);
    dropUndeclared(value, holder.catalog, (name) => name === discriminator);
  }
}

const isPlain = (value: object): boolean => value.constructor === Object || value.constructor === undefined;

/** Whether an instance is of a class that the holder's decorators name for it, rather than one that a `@Transform()` chose. */
function describesBody(value: object, { type, name }: Holder): boolean {
  const storage = decoratorStorage();
  if (storage?.findTypeMetadata(type, name)) return true;

  return (
    propertyType((type as { prototype: object }).prototype, name) === value.constructor &&
    !ancestryOf(type).some((owner) => storage?._transformMetadatas.get(owner)?.has(name))
  );
}

function discriminatorOf({ type, name }: Holder): string | undefined {
  const metadata = decoratorStorage()?.findTypeMetadata(type, name);

  return (metadata?.options?.discriminator as { readonly property?: string } | undefined)?.property;
}
