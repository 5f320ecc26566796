import { Logger, RequestMethod } from '@nestjs/common';
import { HTTP_STATE_KEY } from '../constants.js';
import type { Exchange } from './exchange.js';
import { clientOf, outcomeOf, readHeader, readState, refuseGone } from '../response/request-state.js';
import { openExport } from './open-export.js';
import type { Answer } from './send.js';
import { customJsonPrinter } from '../nest/response-observers.js';
import { entityTag, namesTag } from '../conditional/entity-tag.js';
import { type CrudResult, JsonList, jsonList, JsonText, NeedsRecords, reportFastPath } from '../response/result.js';
import { linkHeader } from '../response/page-links.js';
import { ROUTES } from '../routes/route-table.js';
import { asksForExport } from '../service/run-verb.js';
import { readLabel } from '../startup/find-resources.js';
import { isCursorPage, isEnvelope, makeRecordSerializer, serializeResponse } from '../serialization/serialize.js';
import { mapInSlices } from '../time-slices.js';

/** Header of a plain list that the default ceiling cut. */
export const TRUNCATED_HEADER = 'X-Crud-Truncated';

/**
 * Makes the answer of a result: status and headers as the service reported them, the body as JSON text, shaped records
 * or the stream of an export, and its entity tag.
 *
 * @param shape Shapes what a handler returned in place of the classes of its route.
 */
export async function makeAnswer(
  exchange: Exchange,
  result: CrudResult,
  shape?: (value: unknown) => unknown,
): Promise<Answer> {
  const { route, request, http } = exchange;
  const text = await readText(exchange, result);
  const value = text ?? (await result.records());
  const head = describeOutcome(exchange);
  if (!route.name) return { ...head, body: shape ? shape(value) : value };

  const state = http[HTTP_STATE_KEY];
  const isExport = route.exports && request && asksForExport(route.name, request);
  // Its overrides take single records, which are not made here.
  if (isExport && (shape || state?.isShaped !== undefined))
    throw new Error('Lists cannot be exported through overrides of CrudResponseInterceptor');
  if (isExport) return { ...head, body: await openExport(exchange, request, value) };

  const body = text ?? (await (shape ? shape(value) : shapeRecords(exchange, value)));
  if (state?.isShaped === false && !shape) state.isShaped = true;

  return route.tag ? tagAnswer(exchange, { ...head, body }) : { ...head, body };
}

/** The result as JSON text; undefined if the answer is made of records. */
async function readText(exchange: Exchange, result: CrudResult): Promise<JsonText | JsonList | undefined> {
  const { route, request, adapter, response } = exchange;
  const { text } = route;
  if (!text || !(result.text ?? text.obstacle)) return undefined;

  const options = Object.values(request?.parsed.classTransformOptions ?? {});
  const obstacle =
    text.obstacle ??
    (options.some((value) => value !== undefined) ? 'options of class-transformer (@CrudAuth)' : undefined) ??
    (result.text && customJsonPrinter(adapter!, response));
  const made = obstacle === undefined ? await result.text?.(text.model!) : new NeedsRecords(obstacle);
  if (!(made instanceof NeedsRecords)) {
    if (made) reportFastPath('text');

    return made;
  }
  text.report(made.reason);

  return undefined;
}

/** Status and headers, as the service reported them; a status that the application has set stays. */
function describeOutcome({ request, response, http, route: { definition }, context }: Exchange): Omit<Answer, 'body'> {
  const { created, updated, truncated, links } = (request && readState(request)?.outcome) ?? {};
  if (truncated) logTruncation(context.getClass(), readLabel({ controller: context.getClass(), definition }));
  const { originalUrl, url = '' } = http;

  return {
    status: created && response.statusCode === 200 ? 201 : updated && response.statusCode === 201 ? 200 : undefined,
    headers: {
      ...(links && { Link: linkHeader(links, originalUrl ?? url, definition.language.paramNamesMap) }),
      ...(truncated && { [TRUNCATED_HEADER]: 'true' }),
    },
  };
}

const logged = new WeakSet<object>();

function logTruncation(controller: object, label: string): void {
  if (logged.has(controller)) return;

  logged.add(controller);
  new Logger('Crud').warn(
    `${label}: a list was cut at the default page size. Set query.maxLimit (or query.limit), or maxLimit: ` +
      'false, to say what you want.',
  );
}

/**
 * Adds the entity tag of its body to an answer, or answers 304 if the client has it already. Tags set by the
 * application are kept, and answers that are no success get none.
 */
function tagAnswer({ adapter, response, route, request, http }: Exchange, answer: Answer): Answer {
  const { status = response.statusCode } = answer;
  const body = answer.body instanceof JsonList ? answer.body.whole() : answer.body;
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
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

/** Records from which a list is shaped and printed record by record. */
const LONG = 1000;

/** The records of a list, and the text around them. */
interface LongList {
  readonly records: readonly unknown[];
  readonly before: string;
  readonly after: string;
}

/**
 * Shapes what a verb or handler returned by the classes of its route. A long list is shaped in slices of time, so that
 * the event loop is not blocked, and also printed in slices, unless somebody needs to see it.
 */
function shapeRecords({ route, request, adapter, response }: Exchange, value: unknown): unknown {
  const { definition, name, shape, observer } = route;
  const options = request?.parsed.classTransformOptions;
  const long = findLongList(value);
  if (!long || (shape.envelope && !Array.isArray(value) && !isCursorPage(value)))
    return serializeResponse(value, definition, name!, options);

  const serialize = makeRecordSerializer(shape.record, options);
  const client = request && clientOf(request);
  const proceed = (): void => refuseGone(client);
  const isSeen = observer !== undefined || customJsonPrinter(adapter!, response) !== undefined;

  return isSeen ? shapeLong(value, long, serialize, proceed) : printLong(long, serialize, proceed);
}

/** A long list, or a page of one as services make it. */
function findLongList(value: unknown): LongList | undefined {
  if (Array.isArray(value)) return isLong(value) ? { records: value, before: '[', after: ']' } : undefined;
  if (!isEnvelope(value) || !isLong(value.data) || 'toJSON' in value || Object.keys(value)[0] !== 'data')
    return undefined;

  const { data: records, ...rest } = value;

  return { records, before: '{"data":[', after: `],${JSON.stringify(rest).slice(1)}` };
}

type Shape = (record: unknown) => unknown;

async function shapeLong(value: unknown, list: LongList, shape: Shape, proceed: () => void): Promise<unknown> {
  const data = await mapInSlices(list.records, (record) => shape(record), proceed);

  return Array.isArray(value) ? data : { ...(value as object), data };
}

/** Prints a list in slices of time, as `JSON.stringify` prints it in one go. */
async function printLong({ records, before, after }: LongList, shape: Shape, proceed: () => void): Promise<unknown> {
  const texts = await mapInSlices(records, (record) => JSON.stringify(shape(record)) ?? 'null', proceed);

  return jsonList(texts, before, after);
}

function isLong(list: readonly unknown[]): boolean {
  return list.length >= LONG && !('toJSON' in list);
}
