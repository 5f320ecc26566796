/**
 * Builds a request by the steps that interceptors may override. What they add is trusted, and scope stays outermost.
 */
import {
  type ClassTransformOptions,
  convertFilterToSearch,
  type ParsedQuery,
  type QueryFilter,
  RequestQueryParser,
  type SCondition,
} from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../evaluate-auth.js';
import type { CrudRequest } from '../crud-request.js';
import { isPlainObject } from '../definition/plain-objects.js';
import {
  findAuthor,
  markClientCondition,
  markServerCondition,
  typeConditions,
  typeSearch,
} from '../plan/condition-origins.js';
import { isNotEmpty } from '../plan/condition.js';
import type { CrudActions } from '../routes/route-table.js';
import { type Awaitable, settleAll, whenSettled } from '../when-settled.js';
import { type AuthorizedQuery, typeJsonFilter } from './authorize.js';
import { type ClientCondition, contexts, type Options, type StepAuth, type StepContext } from './default-steps.js';
import { mergeConditions } from './merge.js';
import type { Permissions } from './permissions.js';
import type { RequestInput } from './request-route.js';
import { requireRestriction } from './tautology.js';

/** A query whose names are permitted. */
export interface CheckedQuery {
  /** The query as it was sent. */
  readonly sent: ParsedQuery;
  readonly authorized: AuthorizedQuery;
  readonly permissions: Permissions;
  /** The client's condition of a write by condition. */
  readonly narrowing: SCondition | undefined;
  /** How class-transformer shapes the response. */
  readonly classTransformOptions: ClassTransformOptions | undefined;
}

/** A request, and what its scope is made of. */
export interface ScopedRequest {
  readonly request: CrudRequest;
  readonly auth: EvaluatedAuth | undefined;
  /** Conditions of the path that stored records must satisfy. */
  readonly stored: readonly SCondition[];
}

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

/** The steps of an interceptor, and what it says of the handler. */
export interface RequestHooks {
  readonly steps: RequestSteps;
  readonly info: { readonly ctrlOptions: unknown; readonly crudOptions: Options; readonly action: CrudActions };
}

/** Makes a request by the steps of an interceptor. */
export function runSteps(
  input: RequestInput,
  { sent, authorized, permissions, classTransformOptions }: CheckedQuery,
  { steps, info: { ctrlOptions, crudOptions, action } }: RequestHooks,
): Awaitable<ScopedRequest> {
  const { params, http } = input;
  const parser = makeParser(sent, authorized, classTransformOptions);
  const clients = findConditions(sent, permissions);
  typeConditions(parser);
  clients.forEach(({ condition }) => typeSearch(condition));
  const context: StepContext = { input, options: crudOptions, clients, path: new Map(), pending: [] };
  contexts.set(parser, context);

  return whenSettled(steps.getSearch(parser, crudOptions, action, ctrlOptions ? params : undefined), (search) =>
    whenSettled(ctrlOptions ? steps.getAuth(parser, crudOptions, http) : {}, (auth) =>
      whenSettled(settleAll(context.pending), () => {
        const scope = mergeSteps(parser, context, search, auth);

        return whenSettled(steps.getCrudRequest(parser, crudOptions, auth?.auth), (request) => ({ request, ...scope }));
      }),
    ),
  );
}

/** Combines the steps' conditions in the parser's search: path and `getAuth` outermost. */
function mergeSteps(
  parser: RequestQueryParser,
  { input, path }: StepContext,
  search: readonly SCondition[],
  auth: StepAuth | undefined,
): Omit<ScopedRequest, 'request'> {
  const { route } = input;
  const { filter, or } = (auth ?? {}) as { filter?: SCondition; or?: SCondition };
  for (const condition of [filter, or]) markServerCondition(condition, route.definition.modelName);
  const outer = search.filter((condition) => path.has(condition));
  const inner = search.filter((condition) => isNotEmpty(condition) && !path.has(condition));
  const ofKey = outer.filter((one) => path.get(one) !== 'other');
  const evaluated = { ...input.auth, checkWrites: input.auth?.checkWrites ?? true, filter, or } as EvaluatedAuth;

  const own = or ? [] : inner.filter(isOfOverride);
  if (route.single) requireRestriction(route, [...ofKey, ...own, filter]);
  parser.search = mergeConditions(evaluated, outer, inner);

  return { auth: evaluated, stored: route.overridesPath ? ofKey : outer };
}

function makeParser(
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
function findConditions(parsed: ParsedQuery, permissions: Permissions): Map<QueryFilter, ClientCondition> {
  return new Map(
    [...parsed.filter, ...parsed.or].map((filter) => {
      const condition = convertFilterToSearch(typeJsonFilter(filter, permissions));
      markClientCondition(condition);

      return [filter, { condition, filter: { ...filter } }];
    }),
  );
}

/** Whether a condition has a part that an override wrote, not the client or an option. */
function isOfOverride(condition: unknown): boolean {
  if (!isPlainObject(condition) || findAuthor(condition, []) !== undefined) return false;

  return Object.entries(condition).some(([key, value]) => {
    if (key === '$and' && Array.isArray(value)) return value.some(isOfOverride);
    if (key === '$or' && Array.isArray(value)) return value.length > 0 && value.every(isOfOverride);

    return findAuthor(value, []) === undefined;
  });
}
