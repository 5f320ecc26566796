/** What `query.etag` adds to operations: headers of requests and responses, and the statuses of conditions that do not hold. */
import { RequestMethod } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { behaviourOf, isManyRoute } from '../definition/route-behaviour.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import type { ResponseObject } from './document-types.js';

type Resource = Pick<ResourceDefinition, 'options' | 'modelName'>;

export interface RequestHeader {
  readonly name: 'If-Match' | 'If-None-Match';
  readonly required: boolean;
  readonly description: string;
}

const TAG_OF = {
  record: 'The state of the record and its representation',
  representation: 'The representation',
} as const satisfies Record<NonNullable<RouteDescriptor['tag']>, string>;

/** The headers by which requests of a route may depend on entity tags. */
export function describeConditions({ options, modelName }: Resource, route: BaseRouteName): RequestHeader[] {
  if (options.query.etag !== true) return [];

  const { method, tag } = ROUTES[route];
  const headers: RequestHeader[] = [];
  const none = (description: string) => headers.push({ name: 'If-None-Match', required: false, description });

  if (isConditionalWrite(route)) {
    headers.push({
      name: 'If-Match',
      // PUT takes another header in its place.
      required: isRequired({ options }, route) && route !== 'replaceOneBase',
      description: `Entity tags, of which one must be that of the stored ${modelName}; \`*\`: any`,
    });
  }
  if (method === RequestMethod.GET && tag) none('Entity tags that the client has; `*`: any. It is answered 304 then');
  if (route === 'replaceOneBase') none(`\`*\`: there must be no such ${modelName} yet`);

  return headers;
}

/** Statuses of conditions that do not hold. */
export function conditionFailures({ options }: Resource, route: BaseRouteName): (412 | 428)[] {
  if (isManyRoute(route)) return isRequired({ options }, route) ? [428] : [];
  if (options.query.etag !== true || !isConditionalWrite(route)) return [];

  return isRequired({ options }, route) ? [412, 428] : [412];
}

/** The header of successes, and the response to a client that has the answer. */
export function describeTags(
  { options }: Resource,
  route: BaseRouteName,
): { readonly headers: NonNullable<ResponseObject['headers']>; readonly unchanged: readonly ResponseObject[] } {
  const { method, tag } = ROUTES[route];
  if (options.query.etag !== true || !tag) return { headers: {}, unchanged: [] };

  const headers = { ETag: { description: `${TAG_OF[tag]}, as an entity tag`, schema: { type: 'string' } } } as const;
  const unchanged = { status: 304, description: 'The client has the answer: `If-None-Match` names its tag', headers };

  return { headers, unchanged: method === RequestMethod.GET ? [unchanged] : [] };
}

function isConditionalWrite(route: BaseRouteName): boolean {
  const { method, single } = ROUTES[route];

  return single && method !== RequestMethod.GET;
}

function isRequired({ options: { routes } }: Pick<Resource, 'options'>, route: BaseRouteName): boolean {
  return behaviourOf(routes, route).requireMatch === true;
}
