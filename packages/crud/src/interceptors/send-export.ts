/**
 * Sends a whole list while it is read. An error before the first byte is answered like any other; after it the
 * connection is broken, so that a truncated file never looks complete.
 */
import { Readable } from 'node:stream';
import { type ExecutionContext, Logger, StreamableFile } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { CrudRequest } from '../crud-request.js';
import { definitionOf } from '../definition/definitions.js';
import { CONTENT_TYPES } from '../definition/media-types.js';
import type { ExportFormat } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { crudError } from '../errors/errors.js';
import { ExportStream } from '../export/export-stream.js';
import { beginExport } from '../export/slots.js';
import { EXPORT_WRITERS } from '../export/writers.js';
import type { Catalog } from '../plan/catalog.js';
import { clientOf, refuseGone } from '../response/client.js';
import type { ListExport } from '../response/list-export.js';
import { mayExport } from '../request/export-format.js';
import { routeOf } from '../routes/route-of.js';
import { httpRequestOf, httpResponseOf } from './request-context.js';

/** Milliseconds that an export may take if the options do not say. */
const DEFAULT_TIMEOUT = 600_000;

/** What is sent. */
export interface Exported {
  readonly list: ListExport;
  readonly request: CrudRequest;
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
}

/** Returns what to hand to the platform, once the first part of the list is ready. */
export async function sendExport(exported: Exported, context: ExecutionContext): Promise<StreamableFile> {
  const { request } = exported;
  const format = request.parsed.format as ExportFormat;
  const headers = { type: CONTENT_TYPES[format], ...dispositionOf(exported, context) };
  if (httpRequestOf(context).method === 'HEAD') return new StreamableFile(Readable.from([]), headers);

  refuseGone(clientOf(request));
  const { concurrent, timeout = DEFAULT_TIMEOUT } = request.options.query!.export!;
  const end = beginExport(concurrent);
  const stream = new ExportStream();
  stream.once('close', end);
  // Before the first byte, the error is the answer.
  stream.on('error', (error) => stream.hasBegun && new Logger('Crud').error(`An export was cut: ${error.message}`));
  if (timeout !== false) breakAfter(stream, timeout);
  breakWith(httpResponseOf(context), stream);
  void write(exported, format, stream);
  await stream.beginning;

  return fileOf(stream, headers);
}

async function write({ list, ...input }: Exported, format: ExportFormat, stream: ExportStream): Promise<void> {
  const { signal } = stream;

  try {
    // The writer plans the request, too: a mistake of the client in it is the answer.
    const print = EXPORT_WRITERS[format]({ ...input, proceed: () => signal.throwIfAborted() });
    await list.read({
      signal,
      take: async (part) => {
        const text = await print(part);
        await stream.give(text);

        return text.length;
      },
    });
    stream.end();
  } catch (error) {
    // The client has disconnected, so there is nobody to answer.
    stream.destroy(clientOf(input.request)?.isGone ? undefined : (error as Error));
  }
}

function breakAfter(stream: ExportStream, timeout: number): void {
  const timer = setTimeout(() => {
    stream.destroy(crudError('CRUD_TIMEOUT', { message: `The export took longer than ${timeout} ms` }));
  }, timeout);

  stream.once('close', () => clearTimeout(timer));
}

interface Closing {
  readonly destroyed?: boolean;
  once(event: 'close', listener: () => void): unknown;
  removeListener(event: 'close', listener: () => void): unknown;
}

/** Aborts the export when the client disconnects, even before the platform has the stream. */
function breakWith(response: Partial<Closing> & { readonly raw?: Closing }, stream: ExportStream): void {
  const outgoing = response.raw ?? (response as Closing);
  const gone = (): void => void stream.destroy();
  if (outgoing.destroyed) return gone();

  outgoing.once('close', gone);
  stream.once('close', () => outgoing.removeListener('close', gone));
}

interface Outgoing {
  readonly destroyed?: boolean;
  destroy(): void;
}

/** A failing stream must break the connection, whatever the platform would do by default. */
function fileOf(stream: ExportStream, headers: object): StreamableFile {
  const file = new StreamableFile(stream, headers);
  file.setErrorLogger(() => undefined);
  file.setErrorHandler((_, response) => {
    const { destroyed } = response as unknown as Outgoing;
    if (!destroyed) (response as unknown as Outgoing).destroy();
  });

  return file;
}

/** With `format=`, as in links, the answer is a download. */
function dispositionOf({ definition, request }: Exported, context: ExecutionContext): { disposition?: string } {
  const { url = '' } = httpRequestOf(context);
  const format = request.parsed.format!;
  if (!isNamedIn(httpRequestOf(context).query, format, definition)) return {};

  const name = /([\w-]+)\/?(?:\?|$)/.exec(url)?.[1] ?? definition.modelName;

  return { disposition: `attachment; filename="${name}.${format}"` };
}

function isNamedIn(query: unknown, format: string, { language }: ResourceDefinition): boolean {
  const names = [language.paramNamesMap?.format ?? 'format'].flat();

  return names.some((name) => [(query as Record<string, unknown> | undefined)?.[name]].flat().includes(format));
}

/** Whether the answers of a handler depend on the header `Accept`. */
export function isNegotiated(context: ExecutionContext): boolean {
  const definition = definitionOf(context.getClass());

  // The common case first: this runs for each request, and most resources have no exports.
  return (
    definition?.options.query.export !== undefined && mayExport({ definition, route: routeOf(context.getHandler()) })
  );
}

/** Sets `Vary: Accept`. */
export function varyByAccept(context: ExecutionContext, adapter: AbstractHttpAdapter): void {
  const response = httpResponseOf(context);
  const known = [adapter.getHeader(response, 'vary') as unknown].flat().filter(Boolean).map(String);
  if (known.some((header) => /(?:^|,)\s*(?:\*|accept)\s*(?:,|$)/i.test(header))) return;

  adapter.setHeader(response, 'Vary', [...known, 'Accept'].join(', '));
}
