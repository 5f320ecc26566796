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
