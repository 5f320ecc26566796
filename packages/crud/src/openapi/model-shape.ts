/** How the schema of a body or an answer differs from that of a class. */
import type { Type } from '@nestjs/common';

/** What differs from the class. Default of each: nothing. */
export interface ShapeChanges {
  readonly omit: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  /** How joined records and embedded objects are shown, by property. */
  readonly related: ReadonlyMap<string, RelatedShape>;
  /** Properties that only classes which inherit from it document, each with its class. */
  readonly inherited: ReadonlyMap<string, Type<unknown>>;
  /** Properties that the class documents as read-only, and that this body must name all the same. */
  readonly sent: ReadonlySet<string>;
  /** Names in the answers that are others than the properties' own. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A class that a schema is made of: a class of the application, or one like it. */
export interface ModelShape extends ShapeChanges {
  /** Name of the schema; undefined: nothing differs, it is the class itself under its own name. */
  readonly name: string | undefined;
  readonly base: Type<unknown>;
  /** Whether it depends on the path of the resource, so that other resources over the model rarely share it. */
  readonly isScoped: boolean;
}

/** What the records of a relation, or an embedded object, look like. */
export interface RelatedShape {
  readonly shape: ModelShape;
  readonly toMany: boolean;
}

const NONE: ShapeChanges = {
  omit: new Set(),
  optional: new Set(),
  related: new Map(),
  inherited: new Map(),
  sent: new Set(),
  renamed: new Map(),
};

/** @param name Of the schema, unless nothing differs. */
export function modelShape(
  base: Type<unknown>,
  name: string,
  changes: Partial<ShapeChanges>,
  isScoped = false,
): ModelShape {
  const isChanged = Object.values(changes).some(({ size }) => size > 0);

  return { ...NONE, ...changes, base, name: isChanged ? name : undefined, isScoped };
}

/** Identifies a shape among those of one class. */
export function signatureOf({ omit, optional, related, inherited, renamed, sent }: ModelShape): string {
  const inner = Array.from(related, ([property, { shape }]) => `${property}(${signatureOf(shape)})`);

  return [
    `-${[...omit].sort().join()} ?${[...optional].sort().join()} ${inner.sort().join()}`,
    ...Array.from(inherited.keys(), (property) => `+${property}`),
    ...Array.from(renamed, (pair) => pair.join('=')),
    ...Array.from(sent, (property) => `!${property}`),
  ].join(' ');
}
