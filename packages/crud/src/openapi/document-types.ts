/** Types alone: the parts of an OpenAPI document, the same for 3.0 and 3.1. */
import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Catalog } from '../plan/catalog.js';

/** A JSON schema as OpenAPI 3.0 and 3.1 both read it. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly default?: unknown;
  readonly items?: SchemaObject;
  readonly oneOf?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
}

/** One named example of a parameter or a body. */
export interface ExampleObject {
  readonly summary: string;
  readonly value: unknown;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly style?: 'form' | 'simple';
  readonly explode?: boolean;
  readonly schema: SchemaObject;
  readonly examples?: Readonly<Record<string, ExampleObject>>;
}

/** What a class documents and validates, as the optional peers know it. */
export interface ClassFacts {
  /** Properties that the document shows. */
  documented(type: Type<unknown>): readonly string[];
  /** The class of the application's that a property, or each item of its list, is documented to be of. */
  classOf(type: Type<unknown>, property: string): Type<unknown> | undefined;
  /** Whether a property is documented as an object without a known class or schema. */
  isUntypedObject(type: Type<unknown>, property: string): boolean;
  /** Whether a property is documented as one that only answers have. */
  isReadOnly(type: Type<unknown>, property: string): boolean;
  /** Whether a property is documented as one that must be there. */
  isRequired(type: Type<unknown>, property: string): boolean;
  /** Properties that a new instance has, or computes: they are there whatever is copied onto it. */
  ownProperties(type: Type<unknown>): ReadonlySet<string>;
  /** Whether validation refuses a body without the property; `undefined` if unknown. */
  isRequiredByRules(type: Type<unknown>, property: string): boolean | undefined;
}

/** A class that a schema is made of: a class of the application, or one like it with properties left out or made optional. */
export interface ModelShape {
  /** Name of the schema; undefined: the class itself, under its own name. */
  readonly name?: string;
  readonly base: Type<unknown>;
  readonly omit: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  /**
   * Whether it depends on the path of the resource, so that other resources over the model rarely share it. Default:
   * `false`.
   */
  readonly scoped?: boolean;
  /** How joined records and embedded objects are shown, by property. Default: as the class says. */
  readonly related?: ReadonlyMap<string, RelatedShape>;
  /** Properties that only classes which inherit from it document, each with its class. Default: none. */
  readonly inherited?: ReadonlyMap<string, Type<unknown>>;
  /** Properties that the class documents as read-only, and that this body must name all the same. Default: none. */
  readonly sent?: ReadonlySet<string>;
  /** Names in the answers that are others than the properties' own. Default: none. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/** What the records of a relation, or an embedded object, look like. */
export interface RelatedShape {
  readonly shape: ModelShape;
  readonly toMany: boolean;
}

/** Body of a success: one record, a plain list, the envelope, either of these, beside them a page that is read by a cursor, a number of records (all that match, or those that were written), or rows of aggregates, plain or in the envelope. */
export type ContentShape =
  | 'record'
  | 'list'
  | 'page'
  | 'listOrPage'
  | 'pageOrCursor'
  | 'listOrPageOrCursor'
  | 'count'
  | 'affected'
  | 'listOrAffected'
  | 'rowsOrPage'
  | 'rowPage';

export interface ResponseObject {
  readonly status: number;
  readonly description: string;
  /** Undefined: an empty body, or `error`: the body of errors. */
  readonly content?: ContentShape | 'error';
  /** Bodies, each under a name. */
  readonly examples?: Readonly<Record<string, ExampleObject>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaObject }>>;
}

/** Answers with the catalog of a resource in an application, or `undefined` where it is not there (yet). */
export type CatalogSource = (application: ModulesContainer) => Catalog | undefined;
