/** Finds the described operations of a finished document by marks, which are removed again. */
import type { Swagger } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import type { DeclaredParameter } from './declared-metadata.js';
import type { Description } from './descriptions.js';
import type { ParameterObject } from './document-types.js';
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

/** An operation of a document. */
export interface DocumentOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationNode;
  /** Undefined: a handler of the application's own. */
  readonly handler: DescribedHandler | undefined;
}

/** Marks a handler until its document is finished: it may be found under several paths, whatever its id. */
const MARK = 'x-crud-handler';

/** The decorator that marks a handler by its number. */
export function markHandler({ ApiExtension }: Swagger, number: number): MethodDecorator {
  return ApiExtension(MARK, number) as MethodDecorator;
}

/** The operations of a document; the handlers are found by their numbers. */
export function operationsIn(
  { paths }: Pick<Document, 'paths'>,
  handlers: readonly DescribedHandler[],
): readonly DocumentOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationNode & { [MARK]?: number }>)
      .filter(([, operation]) => typeof operation === 'object' && operation !== null && 'responses' in operation)
      .map(([method, operation]) => {
        const number = operation[MARK];
        delete operation[MARK];

        return { path, method, operation, handler: number === undefined ? undefined : handlers[number] };
      }),
  );
}
