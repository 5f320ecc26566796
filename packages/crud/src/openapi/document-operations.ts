/** Finds the described operations of a finished document by marks, which are removed again. */
import type { Swagger } from '../nest/optional-peers.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { DeclaredParameter, Handler } from './declared-metadata.js';
import type { Description } from './descriptions.js';
import type { ParameterObject } from './document-types.js';
import type { BodyRules } from '../validation/body-rules.js';
import type { OwnQuery } from './query-parameters.js';
import type { OperationIdStyle } from './operation-id.js';

type Document = ReturnType<Swagger['SwaggerModule']['createDocument']>;

/** A handler that was described for a document. */
export interface DescribedHandler {
  readonly description: Description;
  readonly catalog: Catalog | undefined;
  /** Who chose the operation's id; undefined: the application, for this handler. */
  readonly idStyle: OperationIdStyle | undefined;
  /** Whether the application describes the body itself. */
  readonly ownBody: boolean;
  /** Of the body that is described here; undefined if there is none. */
  readonly bodyRules: BodyRules | undefined;
}

/** A handler of the application's own that parses requests, and what its parameters are documented from. */
export interface OwnHandler {
  readonly handler: Handler;
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly query: OwnQuery;
}

/** An operation as a finished document has it. */
export interface OperationNode {
  operationId?: string;
  parameters?: readonly (DeclaredParameter | ParameterObject)[];
  readonly responses?: Readonly<Record<string, { readonly content?: Record<string, MediaTypeNode> }>>;
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaTypeNode>> };
}

/** A body of a finished document. */
export interface MediaTypeNode {
  schema?: unknown;
  example?: unknown;
  examples?: unknown;
}

/** A handler that is marked: of a route, or of the application's own. */
export interface MarkedHandler {
  readonly handler?: DescribedHandler;
  readonly own?: OwnHandler;
}

/** An operation of a document, with its handler if that is marked. */
export interface DocumentOperation extends MarkedHandler {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationNode;
}

/** Marks a handler until its document is finished: it may be found under several paths, whatever its id. */
const MARK = 'x-crud-handler';

/** The decorator that marks a handler by its number. */
export function markHandler({ ApiExtension }: Swagger, number: number): MethodDecorator {
  return ApiExtension(MARK, number) as MethodDecorator;
}

/** The operations of a document with their handlers, which are found by their numbers. */
export function operationsIn(
  { paths }: Pick<Document, 'paths'>,
  handlers: readonly MarkedHandler[],
): readonly DocumentOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationNode & { [MARK]?: number }>)
      .filter(([, operation]) => typeof operation === 'object' && operation !== null && 'responses' in operation)
      .map(([method, operation]) => {
        const number = operation[MARK];
        delete operation[MARK];

        return { path, method, operation, ...(number !== undefined && handlers[number]) };
      }),
  );
}
