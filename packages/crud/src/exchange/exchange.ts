import type { ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { HTTP_STATE_KEY, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BodyRules } from '../validation/body-rules.js';
import type { Application } from './application.js';
import { ensureState, type HttpRequest, type HttpResponse } from './http.js';
import type { Route } from './route.js';

/** One HTTP request to a handler, under way. */
export class Exchange {
  readonly http: HttpRequest;
  readonly response: HttpResponse;
  /** The HTTP platform; undefined if an interceptor was made by hand. */
  readonly adapter: AbstractHttpAdapter | undefined;
  route: Route;

  /** @param rules The rules of the handler's body. Default: it reads none. */
  constructor(
    readonly context: ExecutionContext,
    readonly application: Application,
    readonly rules?: BodyRules,
  ) {
    // Without `switchToHttp()`, which creates three functions on each call.
    this.http = context.getArgByIndex<HttpRequest>(0);
    this.response = context.getArgByIndex<HttpResponse>(1);
    this.adapter = application.nest.host?.httpAdapter;
    this.route = application.findRoute(context, this.http?.[HTTP_STATE_KEY]?.definition);
  }

  /** The parsed request, which an interceptor or guard of the application may have put there too. */
  get request(): CrudRequest | undefined {
    return this.http[PARSED_CRUD_REQUEST_KEY];
  }

  /** Goes on with other options, here and in the interceptors within. */
  redefine(definition: ResourceDefinition): void {
    ensureState(this.http).definition = definition;
    this.route = this.application.findRoute(this.context, definition);
  }
}
