/** The handlers that the eight routes generate: each hands the parsed request, and the body where there is one, to the verb of the controller's service, and answers with its result. */
import type { Answer } from '../interceptors/arrival.js';
import { handOver } from '../plan/handed-request.js';
import type { CreateManyDto, CrudService } from '../service/crud.service.js';
import { isLibraryVerb, type Verb } from './verbs.js';
import type { CrudRequest } from '../request/crud-request.js';
import { type JsonTextService, textOf } from '../response/json-text.js';
import type { BaseRouteName } from './route-table.js';

/** The request as a verb gets it: one that the application wrote may change its options. */
function handed(service: CrudService<object>, verb: Verb, request: CrudRequest): CrudRequest {
  return isLibraryVerb(service[verb]) ? request : handOver(request);
}

interface WithService {
  readonly service: CrudService<object> & Partial<JsonTextService>;
}

/** Functions that use `this`, the controller. */
type Handler = (this: WithService, req: CrudRequest, dto: never) => Promise<unknown>;

/** Makes a new function each time, since metadata is kept by function. */
const BASE_HANDLERS = {
  getManyBase: () =>
    function getManyBase(this: WithService, req: CrudRequest) {
      return textOf(this.service, 'getMany', req) ?? this.service.getMany(handed(this.service, 'getMany', req));
    },
  getOneBase: () =>
    function getOneBase(this: WithService, req: CrudRequest) {
      return textOf(this.service, 'getOne', req) ?? this.service.getOne(handed(this.service, 'getOne', req));
    },
  createOneBase: () =>
    function createOneBase(this: WithService, req: CrudRequest, dto: object) {
      return (
        textOf(this.service, 'createOne', req, dto) ??
        this.service.createOne(handed(this.service, 'createOne', req), dto)
      );
    },
  createManyBase: () =>
    function createManyBase(this: WithService, req: CrudRequest, dto: CreateManyDto) {
      return (
        textOf(this.service, 'createMany', req, dto) ??
        this.service.createMany(handed(this.service, 'createMany', req), dto)
      );
    },
  updateOneBase: () =>
    function updateOneBase(this: WithService, req: CrudRequest, dto: object) {
      return (
        textOf(this.service, 'updateOne', req, dto) ??
        this.service.updateOne(handed(this.service, 'updateOne', req), dto)
      );
    },
  replaceOneBase: () =>
    function replaceOneBase(this: WithService, req: CrudRequest, dto: object) {
      return this.service.replaceOne(handed(this.service, 'replaceOne', req), dto);
    },
  deleteOneBase: () =>
    function deleteOneBase(this: WithService, req: CrudRequest) {
      return this.service.deleteOne(handed(this.service, 'deleteOne', req));
    },
  recoverOneBase: () =>
    function recoverOneBase(this: WithService, req: CrudRequest) {
      return this.service.recoverOne(handed(this.service, 'recoverOne', req));
    },
} as const satisfies Record<BaseRouteName, () => Handler>;

const generated = new WeakSet<object>();

/** Makes the handler of a route. Where no interceptor stands around it, Nest hands it the way to answer; code of the application's own that calls it gets the verb's result. */
export function makeBaseHandler(route: BaseRouteName): Handler {
  const verb: Handler = BASE_HANDLERS[route]();
  const handler = {
    [route](this: WithService, req: CrudRequest, dto: never, answer?: Answer) {
      return answer ? answer(() => verb.call(this, req, dto)) : verb.call(this, req, dto);
    },
  }[route]!;

  generated.add(handler);

  return handler;
}

/** Whether a handler is one of these, and nothing wrapped around it. */
export function isGenerated(handler: object): boolean {
  return generated.has(handler);
}
