import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type OnModuleInit,
  Optional,
  type PipeTransform,
} from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { keyParams } from '../definition/path-params.js';
import { getOrInsert } from '../get-or-insert.js';
import { respondOf } from '../interceptors/piped-request.js';
import { contextOf, type HttpRequest, httpRequestOf, requestOf } from '../interceptors/request-context.js';
import { HandlerPipes } from '../nest/handler-pipes.js';
import { type BodyScope, bodyScope, NO_SCOPE } from '../plan/body-scope.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { overridesPath } from '../request/build-request.js';
import { BodyReader } from '../validation/body-reader.js';
import type { BodyRules } from '../validation/body-rules.js';
import { stateOf } from '../response/request-state.js';
import { rulesWithPipes } from '../validation/body-pipes.js';

/** A body that is not read yet: a function, so that pipes which Nest runs on the parameter leave it alone. */
type UnreadBody = (read: (context: ExecutionContext) => Promise<unknown>) => Promise<unknown>;

type RouteRules = BodyRules & { readonly route: BaseRouteName };

const unreadBody = createParamDecorator(
  (_: RouteRules, context: ExecutionContext): UnreadBody =>
    (read) =>
      read(context),
);

/** Injects the validated body of a route. */
export const CrudBody = (rules: BodyRules, route: BaseRouteName): ParameterDecorator =>
  unreadBody({ ...rules, route }, CrudBodyPipe);

interface KnownReader {
  readonly global: readonly unknown[] | undefined;
  readonly reader: BodyReader;
}

/**
 * Reads the body that {@link CrudBody} injects. The application's pipes, which Nest has run on the unread body, are
 * applied here: a `ValidationPipe` by its options, any other by running it on the body.
 */
@Injectable()
export class CrudBodyPipe implements PipeTransform<UnreadBody>, OnModuleInit {
  private readonly pipes: HandlerPipes | undefined;
  private readonly readers = new WeakMap<object, Map<object, KnownReader>>();

  constructor(
    @Optional() @Inject(ModulesContainer) modules?: ModulesContainer,
    @Optional() @Inject(ApplicationConfig) config?: ApplicationConfig,
  ) {
    this.pipes = modules && config && new HandlerPipes(modules, config);
  }

  onModuleInit(): void {
    this.pipes?.captureGlobalPipes();
  }

  async transform(unread: UnreadBody, { data }: { readonly data?: unknown }): Promise<unknown> {
    const rules = data as RouteRules;
    if (typeof unread !== 'function') throw replaced(rules);

    return unread((context) => this.read(context, rules));
  }

  private async read(context: ExecutionContext, rules: RouteRules): Promise<unknown> {
    const http = httpRequestOf(context);
    await respondOf(http);

    const request = requestOf(http);
    const condition = request && stateOf(request)?.conditionForm;

    return this.readerOf(context, rules).read(bodyOf(http), scopeOf(http, rules.route), http, condition);
  }

  private readerOf(context: ExecutionContext, rules: RouteRules): BodyReader {
    const controller = context.getClass();
    const global = this.pipes?.globalOf(controller);
    const readers = getOrInsert(this.readers, controller, () => new Map<object, KnownReader>());
    const known = readers.get(rules);
    if (known && known.global === global) return known.reader;

    const guarded = rulesWithPipes(rules, this.pipes?.before(controller, context.getHandler()) ?? []);
    const reader = new BodyReader(guarded.rules, guarded.run);
    readers.set(rules, { global, reader });

    return reader;
  }
}

function scopeOf(http: HttpRequest, route: BaseRouteName): BodyScope {
  const request = requestOf(http);
  const known = contextOf(http);
  if (!request || !known) return NO_SCOPE;

  const { parsed } = request;
  const { options } = known.definition;
  const allowParamsOverride = overridesPath(route, options);

  return bodyScope(
    {
      path: parsed.paramsFilter.map(({ field, value }) => [field, value as unknown]),
      persist: parsed.authPersist as object | undefined,
      allowParamsOverride,
      ...(allowParamsOverride && { keys: new Set(keyParams(options.params).map(({ field }) => field)) }),
    },
    known.catalog,
  );
}

// A body that no parser handled (text on Express) does not count as empty.
function bodyOf({ body, headers = {} }: HttpRequest): unknown {
  if (body !== undefined) return body;

  return headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0) ? {} : null;
}

function replaced({ route, type }: RouteRules): Error {
  return new Error(
    `A pipe of the application has replaced the body of ${route} (${type.name}) before it was read: a pipe must return parameters of type "custom" that it does not know as they are`,
  );
}
