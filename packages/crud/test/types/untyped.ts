/** Calls as applications of nestjsx/crud have them, which say nothing of types: all compile. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import { Controller, type Type } from '@nestjs/common';
import { Crud, type CrudController, type CrudOptions, type CrudService, type JoinOption } from '@nestwright/crud';
import { type JoinOptions, type QueryFilterFunction, type QueryOptions } from '@nestwright/crud';
import type { ParamsOptions, QueryFilter, QuerySort, SCondition } from '@nestwright/crud-request';
import { User } from '../../../crud-request/test/typed/entities.js';

const model = { type: User };
// Names that the compiler does not know.
declare const field: string;
declare const fields: string[];
declare const readonlyFields: readonly string[];
Crud({ model, query: { allow: fields, exclude: readonlyFields, persist: [...fields, 'id'], conditions: fields } });
Crud({
  model,
  query: { exclude: [field, 'email'], sort: [{ field, order: 'ASC' }], filter: [{ field, operator: '$eq', value: 1 }] },
});
Crud({ model, query: { filter: { [field]: 1 }, join: { [field]: {} } }, params: { [field]: { field, type: 'uuid' } } });

// Parts made elsewhere.
declare const join: JoinOptions;
declare const oneJoin: JoinOption;
declare const sort: QuerySort[];
declare const filters: QueryFilter[];
declare const condition: SCondition;
declare const computing: QueryFilterFunction;
declare const params: ParamsOptions;
declare const query: QueryOptions;
declare const options: CrudOptions;
Crud({ model, query: { join, sort, filter: filters }, params });
Crud({ model, query: { join: { company: oneJoin, ...join }, filter: condition } });
Crud({ model, query: { ...query, filter: computing, exclude: ['email'] } });
Crud({ ...options, model });
// Entities of which nothing is known.
declare const loose: any;

class Bare {}

class Open {
  [name: string]: unknown;
}

for (const type of [Bare, Open] as const)
  Crud({ model: { type: type as Type<Bare> }, query: { exclude: ['any'], join: { any: { exclude: ['any'] } } } });

Crud({ model: { type: loose }, query: { exclude: ['any'], join: { any: {} } }, params: { id: { field: 'any' } } });

// An entity's type is `any` where its module has none.
Crud<any>({ model, query: { exclude: ['any'], filter: [{ field: 'any', operator: '$eq' }] } });

// Base controllers of applications: a factory that knows its entity by a type parameter.
export function controllerOf<T>(type: Type<T>, path: string): Type<CrudController<T>> {
  @Crud({
    model: { type },
    params: { slug: { field: 'slug', type: 'string', primary: true } },
    query: { exclude: ['deletedAt'], sort: [{ field: 'id', order: 'ASC' }], join: { company: { exclude: ['name'] } } },
  })
  @Controller(path)
  class BaseController implements CrudController<T> {
    constructor(public service: CrudService<T>) {}
  }
  return BaseController;
}

export function constrained<T extends { id: number }>(type: Type<T>, own: CrudOptions): ClassDecorator[] {
  return [
    Crud({ ...own, model: { type } }),
    Crud({ model: { type }, query: { exclude: ['id', 'deletedAt'], filter: { deletedAt: null } } }),
    Crud<T>({ model: { type }, query: { exclude: fields, join } }),
  ];
}
