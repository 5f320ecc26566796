import type { Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { oncePerObject } from '../get-or-insert.js';
import { classOfProperties, propertiesOf, type PropertyMetadata, valueClassOf } from './class-properties.js';
import { withoutDefaults } from './json-schema.js';
import { inheritSchema, memoizedClass } from './schema-classes.js';
import { plainName } from './schema-names.js';

/** The class that PATCH shows: on such a body a default would be written over what is stored. */
export function classWithoutDefaults(type: Type<unknown>, nameOf: () => string): Type<unknown> {
  return holdsDefault(type) ? derive(type, nameOf()) : type;
}

function derive(type: Type<unknown>, name: string): Type<unknown> {
  return memoizedClass(type, `${name} without defaults`, () => {
    const properties = [...propertiesOf(type)].map(([property, metadata]) => [property, strip(metadata)] as const);
    const made = classOfProperties(type, new Map(properties));

    inheritSchema(type, made, name);

    return made;
  });
}

function strip(metadata: PropertyMetadata): PropertyMetadata {
  const [inner, isArray] = valueClassOf(metadata);
  const stripped = withoutDefaults(metadata) as PropertyMetadata;
  if (!inner || !holdsDefault(inner)) return stripped;

  // Asked late, since classes may hold each other.
  return { ...stripped, type: () => derive(inner, `${plainName(inner.name).replace(/Dto$/, '')}PatchDto`), isArray };
}

const holdsOwnDefault = oncePerObject((type: Type<unknown>): boolean =>
  [...propertiesOf(type).values()].some((metadata) => !isDeepStrictEqual(withoutDefaults(metadata), metadata)),
);

function holdsDefault(type: Type<unknown>, asked = new Set<unknown>()): boolean {
  if (asked.has(type)) return false;
  asked.add(type);

  return (
    holdsOwnDefault(type) ||
    [...propertiesOf(type).values()].some((metadata) => {
      const [inner] = valueClassOf(metadata);

      return inner && holdsDefault(inner, asked);
    })
  );
}
