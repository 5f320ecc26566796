/** What a document says, and whether it is one. */
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';

// A document is walked by paths that its type does not know.
export type Json = Record<string, any>;

const validator = new Validator();

/** Throws where a document breaks OpenAPI's schema or a $ref leads nowhere. */
export async function validate(document: OpenAPIObject): Promise<void> {
  const { errors } = await validator.validate({ ...structuredClone(document) });
  if (errors) throw new Error(JSON.stringify(errors, undefined, 1));
}

/** An operation of a document. */
export const at = (document: unknown, path: string, method: string) => (document as Json).paths[path][method] as Json;
export const operationsOf = (document: unknown) =>
  Object.entries((document as Json).paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({ path, method, ...(operation as Json) }) as Json),
  );

export const parameter = (operation: Json, name: string) =>
  (operation.parameters as Json[]).find((item) => item.name === name)!;

/** Names of an operation's parameters, of all or of one place. */
export const namesOf = (operation: Json, place?: 'path' | 'query' | 'header') =>
  (operation.parameters as Json[]).filter((item) => !place || item.in === place).map(({ name }) => name as string);

/** Schemas that many properties have. */
export const TEXT = { type: 'string' };
export const INTEGER = { type: 'integer' };
export const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });

/** The schema of a body or of an answer. */
export const schemaOf = ({ content }: Json) => content['application/json'].schema as Json;
export const bodyOf = (document: unknown, path: string, method: string) =>
  schemaOf(at(document, path, method).requestBody as Json);
/** The name that a reference leads to. */
export const nameOf = ({ $ref }: Json) => ($ref as string).split('/').at(-1)!;
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const schemas = (document: unknown) => (document as Json).components.schemas as Record<string, Json>;
export const requiredBy = (document: unknown, name: string) =>
  schemas(document)[name]!.required as string[] | undefined;
export const shownBy = (document: unknown, name: string) => Object.keys(schemas(document)[name]!.properties as Json);

/** The properties of a schema, in order; lists with brackets, those that it does not require with a question mark. */
export const shapeOf = (document: unknown, name: string) =>
  Object.entries(schemas(document)[name]!.properties as Record<string, Json>)
    .map(
      ([property, { type }]) =>
        (type === 'array' ? `${property}[]` : property) + (requiredBy(document, name)?.includes(property) ? '' : '?'),
    )
    .join(' ');
