/** Types alone: the parts of an OpenAPI document, the same for 3.0 and 3.1. */
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

/** What a body of a response is: of successes a record, a plain list, the envelope, a page that is read by a cursor, a number of records (all that match, or those that were written), or rows of aggregates, plain or in the envelope. */
export type ContentShape =
  'record' | 'list' | 'page' | 'cursorPage' | 'count' | 'affected' | 'rows' | 'rowPage' | 'error';

export interface ResponseObject {
  readonly status: number;
  readonly description: string;
  /** What the body may be. Default: it is empty. */
  readonly content?: readonly ContentShape[];
  /** Bodies, each under a name. */
  readonly examples?: Readonly<Record<string, ExampleObject>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaObject }>>;
}

/** Answers with the catalog of a resource in an application, or `undefined` if it is not there (yet). */
export type CatalogSource = (application: ModulesContainer) => Catalog | undefined;
