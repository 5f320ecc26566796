/** The classes of a resource: of its records, its bodies and its responses. */
import type { Type } from '@nestjs/common';
import type { StandardSchema } from './standard-schema.js';

/** The part of TypeORM's `EntitySchema` that is read. */
export interface EntitySchemaLike {
  /** Name of the entity, and its class if it has one. */
  readonly options: { readonly name: string; readonly target?: unknown };
}

/**
 * An entity: a class (also an abstract one, or one typed as `Function`), or an `EntitySchema`, whose field names are
 * checked at start-up only.
 */
export type ModelType<T = unknown> =
  | Type<T>
  // A constructor's parameters are its own.
  | (abstract new (...parameters: any[]) => T)
  // What upstream's option takes: metadata of Nest and TypeORM give classes as a `Function`.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  | (Pick<Function, keyof Function> & { readonly prototype: NoInfer<T> })
  | EntitySchemaLike;

/** The record type that a resource serves. */
export interface ModelOptions<T = unknown> {
  /** The entity. Clients may use the names of its fields. */
  type: ModelType<T>;
}

/** What describes and validates a body: a class with decorators of class-validator, or a Standard Schema (zod, valibot …), which a class may carry as its static property `~standard`. */
export type BodyDescription = Type<unknown> | StandardSchema;

/** Classes or Standard Schemas that describe and validate bodies, if they differ from the model. */
export interface DtoOptions {
  /** Body of POST and of each record of a bulk insert. Default: the model. */
  create?: BodyDescription;
  /** Body of PATCH. Default: the model. */
  update?: BodyDescription;
  /** Body of PUT. Default: `create`, or `update` with `merge`, then the model. */
  replace?: BodyDescription;
}

/** Classes that serialize responses, for each route. `false` turns class-transformer off; fields that the query excludes stay hidden. Default: the model. */
export interface SerializeOptions {
  /** Records of `GET /`. A class with a property `data` serializes their envelope instead. Default: `get`, then the model. */
  getMany?: Type<unknown> | false;
  /** Response of `GET /:id`. Default: the model. */
  get?: Type<unknown> | false;
  /** Response of `POST /`. Default: the model. */
  create?: Type<unknown> | false;
  /** Response of `POST /bulk`. Default: `create`, then the model. */
  createMany?: Type<unknown> | false;
  /** Response of `PATCH /:id`. Default: the model. */
  update?: Type<unknown> | false;
  /** Response of `PUT /:id`. Default: the model. */
  replace?: Type<unknown> | false;
  /** Response of `DELETE /:id` with `returnDeleted`. Default: the model. */
  delete?: Type<unknown> | false;
  /** Response of `PATCH /:id/recover`. Default: the model. */
  recover?: Type<unknown> | false;
}
