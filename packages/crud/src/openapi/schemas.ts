/** The schemas that the library adds to a document: their names, and what they are made of. */
import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { isDeepStrictEqual } from 'node:util';
import { getOrInsert, oncePerObject } from '../get-or-insert.js';
import { documentedProperties, extraModels, makeClass, type PropertyMetadata, valueClass } from './class-properties.js';
import { replaceReferences, type SchemaObject, SCHEMAS } from './json-schema.js';
import {
  firstFree,
  insertEnding,
  isMarked,
  isPlaceholderName,
  markName,
  plainName,
  relatedName,
  standInName,
} from './names.js';

/** What a schema shows of a class. */
export interface Shape {
  readonly base: Type<unknown>;
  /** In their order; those of the class that are missing are left out. */
  readonly properties: ReadonlyMap<string, ShapeProperty>;
  /** Whether it has a schema of its own, even if it shows the class as it is. Default: `false`. */
  readonly isOwn?: boolean;
}

/** The shape of a record, of an envelope or of a body. */
export interface NamedShape extends Shape {
  /** Name of the schema, unless nothing differs: then it is the class itself, under its own name. */
  readonly name: string;
  /** Whether it depends on the path of the resource, so that other resources over the model rarely share it. */
  readonly isScoped?: boolean;
}

export interface ShapeProperty {
  readonly metadata: PropertyMetadata;
  /** The record or records that it holds. Default: none that differ from what the metadata says. */
  readonly related?: RelatedShape | undefined;
}

/** What the records of a relation, or an embedded object, look like. */
export interface RelatedShape {
  /** Shapes of records: a second one where a body may create or change them. */
  readonly shapes: readonly Shape[];
  readonly toMany: boolean;
  /** What a body may give in place of a record: its key. Default: nothing. */
  readonly links?: readonly SchemaObject[];
}

/** The schemas of one document; each has a marked name until the document is finished. */
export class Schemas {
  /** Classes that @nestjs/swagger makes schemas of. */
  readonly classes = new Set<Type<unknown>>();
  /** Schemas that are no classes, by their marked names. */
  readonly literals: Record<string, object> = {};
  private readonly contents = new Map<string, string>();
  private readonly alternatives = new Map<string, readonly string[]>();
  private readonly made = new Map<string, Type<unknown>>();
  private readonly recursive = new Map<string, SchemaObject>();

  /** A reference to the schema of a class. */
  refer(type: Type<unknown>): SchemaObject {
    this.classes.add(type);

    return { $ref: getSchemaPath(type) };
  }

  /** The class of a shape, under the first of some names that nothing else has. */
  makeClass(shape: Shape, names: readonly string[]): Type<unknown> {
    if (!isChanged(shape)) return shape.base;
    const name = this.claim(names, signShape(shape));

    return getOrInsert(this.made, name, () => {
      const models = [...extraModels(shape.base)];
      const properties = Array.from(shape.properties, ([property, { metadata, related }]) => {
        const types = (related?.shapes ?? []).map((inner, index) =>
          this.makeClass(inner, [insertEnding(relatedName(name, property), index === 0 ? '' : 'Change')]),
        );
        if (related?.links) models.push(...types);

        return [property, { ...metadata, ...(related && describeRelated(related, types)) }] as const;
      });

      return makeClass(markName(name), new Map(properties), models);
    });
  }

  /** A reference to a schema under the first of some names that nothing else has. */
  add(names: readonly string[], schema: object): SchemaObject {
    const name = markName(this.claim(names, JSON.stringify(schema)));
    this.literals[name] = schema;

    return { $ref: SCHEMAS + name };
  }

  /** A reference to a schema that may refer to itself, the same for equal keys; classes of the application go first. */
  addRecursive(names: readonly string[], key: string, make: () => object): SchemaObject {
    const known = this.recursive.get(key);
    if (known) return known;
    const name = markName(this.claim(names, key));
    const reference = { $ref: SCHEMAS + name };
    this.recursive.set(key, reference);
    this.alternatives.set(name, names);
    this.literals[name] = make();

    return reference;
  }

  /** The first of some names that has this content or none; if there is none, the last one with a number. */
  private claim(names: readonly string[], content: string): string {
    const isFree = (name: string) => (this.contents.get(name) ?? content) === content;
    const name = firstFree(names, isFree, (number) => insertEnding(names.at(-1)!, `${number}`));
    this.contents.set(name, content);

    return name;
  }

  /**
   * Puts the schemas into a document under their names. If a class of the application has one, with another schema, the
   * generated one is numbered.
   *
   * @param made What became of the classes and literals.
   * @param refuses Whether a name that is taken is refused, since clients refer to the names.
   */
  finish(
    document: { components?: { schemas?: Record<string, object> } },
    made: Readonly<Record<string, object>>,
    refuses: boolean,
  ): void {
    const { components = {}, ...rest } = document;
    const all = { ...components.schemas, ...made };
    const generated = Object.keys(all).filter(isMarked);
    const names = new Map(generated.map((name) => [SCHEMAS + name, SCHEMAS + plainName(name)]));
    const settle = (node: unknown): unknown => replaceReferences(node, ($ref) => names.get($ref) ?? $ref);

    for (const name of generated) {
      const wanted = plainName(name);
      const isEqual = () => isDeepStrictEqual(settle(all[wanted]), settle(all[name]));
      if (isPlaceholderName(name) || !Object.hasOwn(all, wanted) || isEqual()) continue;
      const others = this.alternatives.get(name);
      if (refuses && !others) throw new Error(takenMessage(wanted));

      const isFree = (other: string) => !Object.hasOwn(all, other) && !Object.hasOwn(all, markName(other));
      names.set(SCHEMAS + name, SCHEMAS + firstFree(others ?? [], isFree, (number) => `${wanted}${number}`));
    }

    const shown = Object.keys(all).filter((name) => !Object.hasOwn(all, standInName(name)));
    const schemas = shown.map((name) => [
      (names.get(SCHEMAS + name) ?? SCHEMAS + name).slice(SCHEMAS.length),
      settle(all[name]),
    ]);
    Object.assign(document, settle(rest), { components: { ...components, schemas: Object.fromEntries(schemas) } });
  }
}

function takenMessage(name: string): string {
  return (
    `The schema ${name} would be both a class of the application and a generated one. Name the resource ` +
    'differently by @Crud({ openapi: { singular, plural } }), or the class by @ApiSchema({ name })'
  );
}

function describeRelated({ links, toMany }: RelatedShape, types: readonly Type<unknown>[]): PropertyMetadata {
  if (!links) return { type: () => types[0], isArray: toMany };
  const anyOf = [...types.map((type) => ({ $ref: getSchemaPath(type) })), ...links];

  // @nestjs/swagger leaves the type out beside `anyOf`.
  return toMany ? { type: 'array', isArray: false, items: { anyOf } } : { type: 'object', anyOf };
}

/** Whether a shape is not the class as it describes itself. */
export function isChanged({ base, properties, isOwn = false }: Shape): boolean {
  const documented = documentedProperties(base);

  return (
    isOwn ||
    properties.size !== documented.size ||
    [...properties].some(
      ([property, { metadata, related }]) => related || !isDeepStrictEqual(metadata, documented.get(property)),
    )
  );
}

/** Identifies a shape, whatever its name. */
export function signShape({ base, properties }: Shape): string {
  const parts = Array.from(properties, ([property, { metadata, related }]) => [
    property,
    metadata,
    related && [related.toMany, related.links, related.shapes.map(signShape)],
  ]);

  return JSON.stringify([base, parts], (_, value: unknown) => {
    if (typeof value !== 'function') return value;
    const [type, isList] = valueClass({ type: value });

    return [numberClass(type ?? value), isList];
  });
}

let classes = 0;

/** Tells classes of one name apart. */
const numberClass: (type: object) => number = oncePerObject(() => ++classes);
