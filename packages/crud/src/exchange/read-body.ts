import type { CrudRequest } from '../crud-request.js';
import { keyParams } from '../definition/resource-definition.js';
import { type BodyScope, bodyScope } from '../plan/body-scope.js';
import { type HttpRequest, readState } from '../response/request-state.js';
import { rulesWithPipes } from '../validation/body-pipes.js';
import { BodyReader } from '../validation/body-reader.js';
import type { BodyRules } from '../validation/body-rules.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';

/**
 * Reads the body of an exchange: the pipes of the application before its handler, the scope, validation, the scope
 * again.
 */
export function readBody(exchange: Exchange, rules: BodyRules, request = exchange.request): Promise<object> {
  const { http, route } = exchange;
  const sent = http.body === undefined ? makeMissingBody(http) : http.body;
  const condition = request && readState(request)?.conditionForm;

  return findReader(exchange, rules).read(sent, request && makeScope(request, route), condition);
}

/** The reader of a handler's bodies; one of its own for a request that has pipes of its own. */
function findReader({ application: { pipes }, context, http, route }: Exchange, rules: BodyRules): BodyReader {
  const { known } = route;
  if (known && (known.live === undefined || known.live === pipes!.live)) return known.reader;

  const controller = context.getClass();
  const sources = pipes?.before(controller, context.getHandler()) ?? [];
  const own = sources.flatMap((source) => ('pipe' in source ? source.pipe : (source.resolvePipe(http) ?? [])));
  const guarded = rulesWithPipes(rules, own);
  const reader = new BodyReader(guarded.rules, guarded.run, guarded.exceptions);
  if (sources.every((source) => 'pipe' in source))
    route.known = { reader, live: pipes?.isRequestScoped(controller) ? pipes.live : undefined };

  return reader;
}

/** What the path and `@CrudAuth` put into the body of a request. */
function makeScope({ parsed }: CrudRequest, { overridesPath, definition: { options }, catalog }: Route): BodyScope {
  return bodyScope(
    {
      path: (parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]),
      persist: parsed.authPersist as object | undefined,
      related: parsed.authRelationPersist,
      allowParamsOverride: overridesPath,
      ...(overridesPath && { keys: new Set(keyParams(options.params).map(({ field }) => field)) }),
    },
    catalog,
  );
}

/** What stands for a body that was not sent: an empty record; null for one that no parser handled (text on Express). */
function makeMissingBody({ headers = {} }: HttpRequest): object | null {
  return headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0) ? {} : null;
}
