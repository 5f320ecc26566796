/** Sends a long list as a stream, with the headers that the platform gives to the same text. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ExecutionContext, StreamableFile } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { hasSendHook } from '../nest/response-observers.js';
import type { JsonList } from '../response/json-list.js';
import { mapInSlices } from '../time-slices.js';
import { httpRequestOf, httpResponseOf } from './request-context.js';
import { sendText, setJsonType } from './send-text.js';

/** Prefix of the application's own entity tags (`W/` if they are weak); `false` if it sends none. */
type Tags = string | false;

/**
 * Returns what to hand to the platform; undefined if the answer is a 304.
 *
 * @param proceed Called between slices of time; what it throws ends the work.
 */
export async function sendList(
  list: JsonList,
  context: ExecutionContext,
  adapter: AbstractHttpAdapter,
  proceed: () => void,
): Promise<StreamableFile | string | undefined> {
  const response = httpResponseOf<{ readonly statusCode: number }>(context);
  const tags = PLATFORMS[adapter.getType()]?.(adapter, response);
  const isPlain = !adapter.getHeader(response, 'content-type') && [200, 201].includes(response.statusCode);
  if (tags === undefined || !isPlain) return sendText(list.whole(), context, adapter);

  const pieces = await list.pieces(proceed);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);

  if (tags !== false && !adapter.getHeader(response, 'etag'))
    adapter.setHeader(response, 'ETag', tags + (await tagOf(pieces, length)));

  setJsonType(context, adapter);
  // Express finds out whether the client has the answer, and then sends no body.
  if ((httpRequestOf(context) as { fresh?: boolean }).fresh === true) return undefined;

  return new StreamableFile(streamOf(pieces), { length });
}

/** The entity tags of each platform; `undefined` if the application needs to see whole answers. */
const PLATFORMS: Readonly<Record<string, (adapter: AbstractHttpAdapter, response: object) => Tags | undefined>> = {
  express: (adapter) => {
    const express = adapter.getInstance<{ get?: (setting: string) => unknown }>();

    return tagsOf(express.get?.('etag fn'));
  },
  fastify: (_, response) => (hasSendHook(response) ? undefined : false),
};

const SAMPLE = Buffer.from('[]');
const SAMPLE_TAG = `"${SAMPLE.length.toString(16)}-${createHash('sha1').update(SAMPLE).digest('base64').slice(0, 27)}"`;

/** The form of Express's tags, taken from a sample, since an application may set its own `etag` function. */
function tagsOf(make: unknown): Tags | undefined {
  if (typeof make !== 'function') return false;
  const tag = (make as (body: Buffer) => unknown)(SAMPLE);

  return ['W/', ''].find((start) => tag === start + SAMPLE_TAG);
}

async function tagOf(pieces: readonly Uint8Array[], length: number): Promise<string> {
  const hash = createHash('sha1');
  await mapInSlices(pieces, (piece) => void hash.update(piece));

  return `"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}

/** Each piece is released when it is sent. */
function streamOf(pieces: Uint8Array[]): Readable {
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
