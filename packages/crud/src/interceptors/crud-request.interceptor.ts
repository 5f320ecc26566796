/** An HTTP request in, a parsed, permission-checked `CrudRequest` on it out; refuses what the query language, the path or the resource's options do not allow. */
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { catchError, type Observable, throwError } from 'rxjs';
import { evaluateAuth } from '../auth/evaluate.js';
import { bareDefinition } from '../definition/bare-definition.js';
import { definitionOf } from '../definition/definitions.js';
import { toHttpError } from '../errors/query-exception.js';
import { catalogOfStarted, registerApplication, startApplication } from '../module/application-state.js';
import { buildCrudRequest } from '../request/build-request.js';
import { routeOf } from '../routes/route-of.js';
import { refuseCutQuery } from './cut-query.js';
import { hiddenByClass } from './hidden-properties.js';
import { type HttpRequest, requestOf, setContext } from './request-context.js';

/**
 * Parses the request. Generated and overriding handlers have it already; own routes of a `@Crud()` controller, and those of any other controller, may use it
 * to get the query language, and `@ParsedRequest()` with it. A request that was parsed before is left alone.
 *
 * @example
 * `@UseInterceptors(CrudRequestInterceptor) @Get('search') search(@ParsedRequest() req: CrudRequest) { … }`
 */
@Injectable()
export class CrudRequestInterceptor implements NestInterceptor, OnModuleInit {
  constructor(@Optional() @Inject(ModulesContainer) private readonly modules?: ModulesContainer) {
    if (modules) registerApplication(modules);
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    if (this.modules) await startApplication(this.modules);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp().getRequest<HttpRequest>();

    try {
      if (!requestOf(http)) await this.parse(http, context);
    } catch (error) {
      throw toHttpError(error);
    }

    return next.handle().pipe(catchError((error: unknown) => throwError(() => toHttpError(error))));
  }

  private async parse(http: HttpRequest, context: ExecutionContext): Promise<void> {
    refuseCutQuery(http);
    const controller = context.getClass();
    const definition = definitionOf(controller) ?? bareDefinition();
    const route = routeOf(context.getHandler());
    const catalog = catalogOfStarted(this.modules, controller);
    const auth = await evaluateAuth(definition.auth, http);
    const request = await buildCrudRequest({
      query: http.query,
      params: http.params ?? {},
      route,
      definition,
      catalog,
      auth,
      http,
      isHidden: hiddenByClass(auth),
    });
    setContext(http, request, { definition, route, catalog });
  }
}
