import { RequestMethod } from '@nestjs/common';
import { entityTag, namesTag } from '../response/entity-tag.js';
import { JsonList } from '../response/json-list.js';
import { JsonText } from '../response/json-text.js';
import { outcomeOf } from '../response/outcome.js';
import { ROUTES } from '../routes/route-table.js';
import type { Answer } from './answer.js';
import type { Exchange } from './exchange.js';
import { readHeader } from './http.js';

/**
 * Adds the entity tag of its body to an answer, or answers 304 if the client has it already. Tags set by the application
 * are kept, and answers that are no success get none.
 */
export function tagAnswer({ application, response, route, request, http }: Exchange, answer: Answer): Answer {
  const { status = response.statusCode } = answer;
  const body = answer.body instanceof JsonList ? answer.body.whole() : answer.body;
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  const { adapter } = application;
  if (!adapter || text === undefined || adapter.getHeader(response, 'etag') || ![200, 201].includes(status))
    return { ...answer, body };

  const tag = entityTag(text, route.tag === 'record' && request ? outcomeOf(request).row : undefined);
  const headers = { ...answer.headers, ETag: tag };
  const known = readHeader(http, 'if-none-match');
  if (ROUTES[route.name!].method !== RequestMethod.GET || known === undefined || !namesTag(known, tag))
    return { ...answer, headers, body };

  // Interceptors of the application are still given the answer; the platform omits its body.
  return { status: 304, headers, body: route.observer === undefined ? undefined : body };
}
