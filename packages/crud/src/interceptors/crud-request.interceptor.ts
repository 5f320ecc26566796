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
import { toHttpError } from '../errors/query-exception.js';
import { registerApplication, startApplication } from '../module/application-state.js';
import { parseRequest } from './parse-request.js';

/**
 * Parses the request. Generated and overriding handlers have it already; own routes of a `@Crud()` controller, and those of any other controller, may use it
 * to get the query language, and `@ParsedRequest()` with it. A request that was parsed before is left alone.
 *
 * @example
 * `@UseInterceptors(CrudRequestInterceptor) @Get('search') search(@ParsedRequest() req: CrudRequest) { … }`
 */
@Injectable()
export class CrudRequestInterceptor implements NestInterceptor, OnModuleInit {
  constructor(@Optional() @Inject(ModulesContainer) protected readonly modules?: ModulesContainer) {
    if (modules) registerApplication(modules);
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    if (this.modules) await startApplication(this.modules);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    try {
      await parseRequest(context, this.modules);
    } catch (error) {
      throw toHttpError(error);
    }

    return next.handle().pipe(catchError((error: unknown) => throwError(() => toHttpError(error))));
  }
}
