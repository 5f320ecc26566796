/** Gives an answer to the platform: here alone Express and Fastify are told apart. */
import { StreamableFile } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CONTENT_TYPES } from '../export/format.js';
import type { Exchange } from './exchange.js';
import { hasSendHook } from '../nest/response-observers.js';
import { clientOf, refuseGone } from '../response/request-state.js';
import { JsonList, JsonText } from '../response/result.js';
import { mapInSlices } from '../time-slices.js';
import { OPERATORS, RequestQueryException, speakable } from '@nestwright/crud-request';
import { listOperators } from '../definition/wording.js';
import { crudError, readRetryDelay } from '../errors.js';

/** What a request is answered with. */
export interface Answer {
  /** Default: the platform's, which is the route's or the application's own. */
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A value that the platform prints, a `JsonText`, a `JsonList` or a stream; undefined: none. */
  readonly body: unknown;
}

/** Sets status and headers, and returns the body for Nest to write. */
export function send({ status, headers, body }: Answer, exchange: Exchange): unknown {
  const { adapter, response, http } = exchange;
  if (!adapter) return body;

  if (status !== undefined) adapter.status(response, status);
  for (const name of Object.keys(headers)) adapter.setHeader(response, name, headers[name]!);
  // Otherwise Express would compare the tags again, by its own rules.
  if (headers['ETag'] !== undefined && adapter.getType() === 'express')
    Object.defineProperty(http, 'fresh', { value: false, configurable: true });

  if (body instanceof JsonList) return sendList(body, exchange, adapter);
  if (!(body instanceof JsonText)) return body;
  // A content type that middleware chose stays, as it does for records.
  if (!adapter.getHeader(response, 'content-type')) adapter.setHeader(response, 'content-type', CONTENT_TYPES.json);

  return body.text;
}

/** Sets `Vary: Accept`. */
export function varyByAccept({ adapter, response }: Exchange): void {
  const known = [adapter?.getHeader(response, 'vary') as unknown].flat().filter(Boolean).map(String);
  if (known.some((header) => /(?:^|,)\s*(?:\*|accept)\s*(?:,|$)/i.test(header))) return;

  adapter?.setHeader(response, 'Vary', [...known, 'Accept'].join(', '));
}

/**
 * Sends a long list as a stream, with the headers that the platform gives to the same text; undefined if the client has
 * it.
 */
async function sendList(
  list: JsonList,
  { response, http, request }: Exchange,
  adapter: AbstractHttpAdapter,
): Promise<StreamableFile | string | undefined> {
  const tags = TAGS[adapter.getType()]?.(adapter, response);
  const isTyped = Boolean(adapter.getHeader(response, 'content-type'));
  if (!isTyped) adapter.setHeader(response, 'content-type', CONTENT_TYPES.json);
  if (tags === undefined || isTyped || ![200, 201].includes(response.statusCode)) return list.whole().text;

  const client = request && clientOf(request);
  const pieces = await list.pieces(() => refuseGone(client));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (tags !== false && !adapter.getHeader(response, 'etag'))
    adapter.setHeader(response, 'ETag', tags + (await hashPieces(pieces, length)));
  // Express finds out whether the client has the answer, and then sends no body.
  if ((http as { fresh?: boolean }).fresh === true) return undefined;

  return new StreamableFile(streamPieces(pieces), { length });
}

/**
 * Prefix of the application's own entity tags (`W/` if they are weak); `false` if it sends none, undefined if it needs
 * to see whole answers.
 */
type Tags = string | false | undefined;

const TAGS: Readonly<Record<string, (adapter: AbstractHttpAdapter, response: object) => Tags>> = {
  express: (adapter) => readPrefix(adapter.getInstance<{ get: (setting: string) => unknown }>().get('etag fn')),
  fastify: (_, response) => (hasSendHook(response) ? undefined : false),
};

const SAMPLE = Buffer.from('[]');
const SAMPLE_TAG = `"${SAMPLE.length.toString(16)}-${createHash('sha1').update(SAMPLE).digest('base64').slice(0, 27)}"`;

/** The form of Express's tags, taken from a sample, since an application may set its own `etag` function. */
function readPrefix(make: unknown): Tags {
  if (typeof make !== 'function') return false;
  const tag = (make as (body: Buffer) => unknown)(SAMPLE);

  return ['W/', ''].find((start) => tag === start + SAMPLE_TAG);
}

async function hashPieces(pieces: readonly Uint8Array[], length: number): Promise<string> {
  const hash = createHash('sha1');
  await mapInSlices(pieces, (piece) => void hash.update(piece));

  return `"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}

/** Each piece is released when it is sent. */
function streamPieces(pieces: Uint8Array[]): Readable {
  let next = 0;

  return new Readable({
    read() {
      const piece = pieces[next];
      delete pieces[next];
      next += 1;
      this.push(piece ?? null);
    },
  });
}

const OPERATOR_NAMES = listOperators(Object.values(OPERATORS));

/**
 * The exception for an error, with its headers set: `Retry-After`. A `RequestQueryException`, of whichever copy of the
 * package, becomes a `BadRequestException` with `code` and `field`; anything else stays what it is.
 */
export function toHttpException(error: unknown, { adapter, context, response, route }: Exchange): unknown {
  const seconds = readRetryDelay(error);
  if (seconds !== undefined && context.getType() === 'http')
    adapter?.setHeader(response, 'Retry-After', String(seconds));
  if (!RequestQueryException.isRequestQueryException(error)) return error;

  const { code, message, field, parameter } = error;
  const custom = Object.keys(route.definition.options.operators.custom ?? {});
  const allowed = code === 'CRUD_UNKNOWN_OPERATOR' ? `; allowed: ${[...OPERATOR_NAMES, ...custom].join(', ')}` : '';

  return crudError(code, { message: message + allowed, field: speakable(field) ?? speakable(parameter), cause: error });
}
