/** Gives an answer its entity tag, or 304 in its place where the client has it. */
import type { ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import { entityTag, namesTag } from '../response/entity-tag.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { headerOf } from './preconditions.js';
import { httpRequestOf, httpResponseOf } from './request-context.js';

/** Whether the answers of a route have a tag of the library's. */
export function isTagged({ options }: ResourceDefinition, route: BaseRouteName): boolean {
  const { tag }: RouteDescriptor = ROUTES[route];

  return options.query.etag === true && tag !== undefined;
}

/** What is answered, and to whom. */
export interface TaggedAnswer {
  readonly route: BaseRouteName;
  /** The representation. */
  readonly text: string;
  /** The tag of the stored record; undefined where it is not known. */
  readonly row: string | undefined;
}

/**
 * Sets the tag of an answer. Tells whether the client has it already: the status is 304 then, and the body is not to be sent. A tag of the application's own, and other statuses than
 * those of success, stay as they are.
 */
export function tagAnswer(answer: TaggedAnswer, context: ExecutionContext, adapter: AbstractHttpAdapter): boolean {
  const response = httpResponseOf<{ readonly statusCode: number }>(context);
  if (adapter.getHeader(response, 'etag') || ![200, 201].includes(response.statusCode)) return false;

  const { tag: kind, method }: RouteDescriptor = ROUTES[answer.route];
  const tag = entityTag(answer.text, kind === 'record' ? answer.row : undefined);
  adapter.setHeader(response, 'ETag', tag);
  if (method !== RequestMethod.GET) return false;

  const http = httpRequestOf(context);
  const header = headerOf(http, 'if-none-match');
  const isKnown = header !== undefined && namesTag(header, tag);
  // Express would compare in its own way once more.
  if (adapter.getType() === 'express') Object.defineProperty(http, 'fresh', { value: isKnown, configurable: true });
  if (isKnown) adapter.status(response, 304);

  return isKnown;
}
