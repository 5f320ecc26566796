import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type OnModuleInit,
} from '@nestjs/common';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import type { Observable } from 'rxjs';
import { REQUEST_HOOKS } from '../constants.js';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import { forApplication } from '../plan/changed-options.js';
import { typeValues } from '../plan/condition-origins.js';
import type { CrudRequest } from '../crud-request.js';
import { authStep, paramsSearchStep, requestStep, searchStep, type StepAuth } from '../request/default-steps.js';
import type { CrudActions } from '../routes/route-table.js';
import { APPLICATION, CrudBaseInterceptor, overridesAny } from './crud-base.interceptor.js';
import { Exchange } from './exchange.js';
import { interceptRequest } from './handle-request.js';
import { noteOwnInterceptor } from './route.js';

const HOOKS = ['getCrudInfo', 'getCrudRequest', 'getSearch', 'getParamsSearch', 'getAuth'] as const;

/**
 * Parses the request. Generated and overriding handlers have it already; other handlers of any controller may use it
 * to get the query language and `@ParsedRequest()`. A request that is parsed already is left alone.
 *
 * A subclass may override the steps of which a request is made; bind it to controllers, to `routes.<route>.interceptors`, or in a routes factory's `setInterceptors`. What a client may name
 * is checked before the first step; what steps add is trusted.
 *
 * @example
 * `@UseInterceptors(CrudRequestInterceptor) @Get('search') search(@ParsedRequest() req: CrudRequest) { … }`
 * @example
 * class ActiveOnly extends CrudRequestInterceptor {
 *   override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>) {
 *     return [...super.getSearch(...step), { isActive: true }];
 *   }
 * }
 */
@Injectable()
export class CrudRequestInterceptor extends CrudBaseInterceptor implements NestInterceptor, OnModuleInit {
  /** Marks the class in every copy of the package. */
  static readonly [REQUEST_HOOKS]: readonly string[] = HOOKS;

  static {
    noteOwnInterceptor(this);
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    await this[APPLICATION].start();
  }

  /** If no function of the options is asynchronous, the request is parsed when this returns, and one that is refused makes it throw. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const exchange = new Exchange(context, this[APPLICATION]);
    const hooks = overridesAny(this, CrudRequestInterceptor, HOOKS)
      ? { steps: this, info: this.getCrudInfo(context) }
      : undefined;

    return interceptRequest(exchange, next, {
      hooks,
      // An override of `intercept` may change the options of this request.
      prepare: this.constructor === CrudRequestInterceptor ? typeValues : forApplication,
    });
  }

  /** The request that handlers get. `parser.search` is the complete condition here. */
  getCrudRequest(
    parser: RequestQueryParser,
    crudOptions: Partial<MergedCrudOptions>,
    // The application's own user type.
    auth?: any,
  ): CrudRequest {
    return requestStep(parser, crudOptions, auth);
  }

  /** The conditions of path, options and client, all of which must hold; a client's is in `parser.search`, or in `parser.filter` and `parser.or`. */
  getSearch(
    parser: RequestQueryParser,
    crudOptions: Partial<MergedCrudOptions>,
    action: CrudActions,
    params?: object,
  ): SCondition[] {
    return searchStep(parser, crudOptions, action, this.getParamsSearch(parser, crudOptions, params));
  }

  /** The conditions of the path; sets `parser.paramsFilter`, whose values are written into bodies. */
  getParamsSearch(parser: RequestQueryParser, crudOptions: Partial<MergedCrudOptions>, params?: object): SCondition[] {
    return paramsSearchStep(parser, crudOptions, params);
  }

  /** What `@CrudAuth` says of the request; sets `parser.authPersist`. */
  // As wide as nestjsx/crud's, whose overrides hand on whatever their guards left on the request.
  getAuth(parser: RequestQueryParser, crudOptions: Partial<MergedCrudOptions>, req: any): StepAuth {
    return authStep(parser, crudOptions, req);
  }
}
