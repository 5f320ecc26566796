/** Adds the entity tag to an answer, or answers 304 if the client has it already. */
import type { ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import { entityTag, namesTag } from '../response/entity-tag.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { headerOf } from './preconditions.js';
import { httpRequestOf, httpResponseOf } from './request-context.js';

/** Whether the library adds entity tags to the answers of a route. */
export function isTagged({ options }: ResourceDefinition, route: BaseRouteName): boolean {
  const { tag } = ROUTES[route];

  return options.query.etag === true && tag !== undefined;
}

/** An answer and its request. */
export interface TaggedAnswer {
  readonly route: BaseRouteName;
  /** The representation. */
  readonly text: string;
  /** The tag of the stored record; undefined if it is not known. */
  readonly row: string | undefined;
}

/**
 * Sets the tag of an answer. Returns whether the client has it already: then the status is 304, and no body must be
 * sent. Tags set by the application are kept, and answers that are no success get none.
 */
export function tagAnswer(answer: TaggedAnswer, context: ExecutionContext, adapter: AbstractHttpAdapter): boolean {
  const response = httpResponseOf<{ readonly statusCode: number }>(context);
  if (adapter.getHeader(response, 'etag') || ![200, 201].includes(response.statusCode)) return false;

  const { tag: kind, method } = ROUTES[answer.route];
  const tag = entityTag(answer.text, kind === 'record' ? answer.row : undefined);
  adapter.setHeader(response, 'ETag', tag);
  if (method !== RequestMethod.GET) return false;

  const http = httpRequestOf(context);
  const header = headerOf(http, 'if-none-match');
  const isKnown = header !== undefined && namesTag(header, tag);
  // Otherwise Express would compare the tags again, by its own rules.
  if (adapter.getType() === 'express') Object.defineProperty(http, 'fresh', { value: isKnown, configurable: true });
  if (isKnown) adapter.status(response, 304);

  return isKnown;
}
