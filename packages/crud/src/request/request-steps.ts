/** Builds a request by the steps that interceptors may override. What they add is trusted, and scope stays outermost. */
import {
  convertFilterToSearch,
  type ParsedQuery,
  type QueryFilter,
  RequestQueryParser,
  type SCondition,
} from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { CrudRequest } from '../crud-request.js';
import { isPlainObject } from '../definition/plain-objects.js';
import { authorAt, markClientCondition, markServerCondition } from '../plan/condition-authors.js';
import { isNotEmpty } from '../plan/condition.js';
import { typeConditions, typeSearch } from '../plan/typed-values.js';
import type { CrudActions } from '../routes/route-table.js';
import { allOf, whenSettled } from '../when-settled.js';
import { type AuthorizedQuery, authorize, requireShownSort } from './authorize.js';
import {
  overridesPath,
  parsedQueryOf,
  permissionsFor,
  requireRestriction,
  transformOptionsOf,
} from './build-request.js';
import { narrowToSent, sentCondition } from './client-condition.js';
import type { StepAuth } from './default-steps.js';
import { exportFormatOf } from './export-format.js';
import { typeJsonFilter } from './json-keys.js';
import { mergeConditions, mergeLinkScope, mergeScope } from './merge.js';
import type { RequestInput } from './request-input.js';
import type { Permissions } from './permissions.js';
import { type Awaitable, type ClientCondition, contexts, type Options, type StepContext } from './step-context.js';

/** The steps of `CrudRequestInterceptor`, as a subclass overrides them; each may be asynchronous. */
export interface RequestSteps {
  getSearch(
    parser: RequestQueryParser,
    options: Options,
    action: CrudActions,
    params?: object,
  ): Awaitable<SCondition[]>;
  getAuth(parser: RequestQueryParser, options: Options, http: unknown): Awaitable<StepAuth>;
  getCrudRequest(parser: RequestQueryParser, options: Options, auth?: unknown): Awaitable<CrudRequest>;
}

/** Builds a request by the steps of an interceptor. */
export function buildBySteps(
  input: RequestInput,
  steps: RequestSteps,
  info: { readonly ctrlOptions: unknown; readonly crudOptions: Options; readonly action: CrudActions },
): Awaitable<CrudRequest> {
  const { definition, params, http } = input;
  const { crudOptions, action, ctrlOptions } = info;
  const parsed = parsedQueryOf(input);
  const permissions = permissionsFor(input);
  const authorized = authorize(parsed, permissions, definition.options.query.unknown);
  requireShownSort(parsed, definition.options.query, permissions);
  const parser = parserOf(
    { ...parsed, format: exportFormatOf(input, parsed) },
    authorized,
    transformOptionsOf(input.auth),
  );
  const clients = conditionsOf(parsed, permissions);
  const sent = sentCondition(input, parsed, authorized.condition);
  markClientCondition(authorized.condition);
  typeConditions(parser);
  clients.forEach(({ condition }) => typeSearch(condition));
  const context: StepContext = { input, options: crudOptions, clients, path: new Map(), pending: [] };
  contexts.set(parser, context);

  return whenSettled(steps.getSearch(parser, crudOptions, action, ctrlOptions ? params : undefined), (search) =>
    whenSettled(ctrlOptions ? steps.getAuth(parser, crudOptions, http) : {}, (auth) =>
      whenSettled(allOf(context.pending), () => {
        const scope = mergeSteps(parser, context, search, auth);

        return whenSettled(steps.getCrudRequest(parser, crudOptions, auth?.auth), (request) => {
          narrowToSent(request, sent, input);

          return withScope(request, context, scope);
        });
      }),
    ),
  );
}

/** The scope of a request that is built by steps. */
interface StepScope {
  readonly auth: EvaluatedAuth;
  /** Conditions of the path. */
  readonly outer: readonly SCondition[];
}

/** Combines the steps' conditions in the parser's search: path and `getAuth` outermost. */
function mergeSteps(
  parser: RequestQueryParser,
  { input, path }: StepContext,
  search: readonly SCondition[],
  auth: StepAuth | undefined,
): StepScope {
  const { filter, or } = (auth ?? {}) as { filter?: SCondition; or?: SCondition };
  for (const condition of [filter, or]) markServerCondition(condition, input.definition.modelName);
  const outer = search.filter((condition) => path.has(condition));
  const inner = search.filter((condition) => isNotEmpty(condition) && !path.has(condition));
  const evaluated = { ...input.auth, checkWrites: input.auth?.checkWrites ?? true, filter, or } as EvaluatedAuth;

  const own = or ? [] : inner.filter(isOfOverride);
  requireRestriction(input, [...outer.filter((one) => path.get(one) !== 'other'), ...own, filter]);
  parser.search = mergeConditions(evaluated, outer, inner);

  return { auth: evaluated, outer };
}

/** Adds the scope to a request, unless a step has given it another. */
function withScope(request: CrudRequest, { input, path }: StepContext, { auth, outer }: StepScope): CrudRequest {
  const { options } = input.definition;
  const linkScope = mergeLinkScope(auth, options.params);
  const stored = overridesPath(input.route, options) ? outer.filter((one) => path.get(one) !== 'other') : [...outer];
  request.scope ??= mergeScope(auth, stored);
  if (linkScope) request.linkScope ??= linkScope;
  if (auth.relations) request.parsed.authRelations ??= auth.relations;

  return request;
}

function parserOf(
  parsed: ParsedQuery,
  { fields, join, condition }: AuthorizedQuery,
  transformOptions: object | undefined,
): RequestQueryParser {
  const { condition: _, ...rest } = parsed;
  const parser = Object.assign(RequestQueryParser.create(), rest, { fields, join });
  // Typed as always there, as nestjsx/crud has it.
  parser.search = (parsed.search === undefined ? undefined : condition) as SCondition;
  if (transformOptions) parser.setClassTransformOptions(transformOptions);

  return parser;
}

/** The client's conditions by its filters, claimed as its own. */
function conditionsOf(parsed: ParsedQuery, permissions: Permissions): Map<QueryFilter, ClientCondition> {
  return new Map(
    [...parsed.filter, ...parsed.or].map((filter) => {
      const condition = convertFilterToSearch(typeJsonFilter(filter, (field) => permissions.isJsonKey(field)));
      markClientCondition(condition);

      return [filter, { condition, filter: { ...filter } }];
    }),
  );
}

/** Whether a condition has a part that an override wrote, not the client or an option. */
function isOfOverride(condition: unknown): boolean {
  if (!isPlainObject(condition) || authorAt(condition, []) !== undefined) return false;

  return Object.entries(condition).some(([key, value]) => {
    if (key === '$and' && Array.isArray(value)) return value.some(isOfOverride);
    if (key === '$or' && Array.isArray(value)) return value.length > 0 && value.every(isOfOverride);

    return authorAt(value, []) === undefined;
  });
}
