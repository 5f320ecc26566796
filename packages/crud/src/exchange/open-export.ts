/**
 * Sends a whole list while it is read. An error before the first byte is answered like any other; after it the
 * connection is broken, so that a truncated file never looks complete.
 */
import type { ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import { HTTP_STATE_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import { CONTENT_TYPES } from '../export/format.js';
import { EXPORT } from '../definition/option-table.js';
import type { ExportFormat } from '../definition/query-options.js';
import type { Trace } from '../diagnostics.js';
import { crudError } from '../errors.js';
import { beginExport, exportRecords, ExportStream } from '../export/export-stream.js';
import { csvWriter } from '../export/csv.js';
import { type ExportWriter, ndjsonWriter, type WriterInput } from '../export/export-writer.js';
import { clientOf, refuseGone } from '../response/request-state.js';
import { ListExport } from '../response/result.js';
import type { Exchange } from './exchange.js';
import { describeRefusal } from './trace-request.js';

/** The writer of each format. */
const WRITERS: Readonly<Record<ExportFormat, (input: WriterInput) => ExportWriter>> = {
  ndjson: ndjsonWriter,
  csv: csvWriter,
};

/** An export that is about to be sent. */
interface Opened {
  readonly exchange: Exchange;
  readonly request: CrudRequest;
  readonly list: ListExport;
}

/**
 * Opens the stream of an export, once the first part of the list is ready.
 *
 * @param result What the verb or handler returned; sent as it is if it is no list.
 */
export async function openExport(exchange: Exchange, request: CrudRequest, result: unknown): Promise<unknown> {
  const list = result instanceof ListExport ? result : exportRecords(result, request);
  if (!list) return result;

  const format = request.parsed.format as ExportFormat;
  const headers = { type: CONTENT_TYPES[format], ...makeDisposition(exchange, format) };
  if (exchange.http.method === 'HEAD') return new StreamableFile(Readable.from([]), headers);

  refuseGone(clientOf(request));
  const { concurrent, timeout = EXPORT.timeout.unset } = request.options.query!.export!;
  const end = beginExport(concurrent);
  const stream = new ExportStream();
  stream.once('close', end);
  // Before the first byte, the error is the answer.
  stream.on('error', (error) => stream.hasBegun && new Logger('Crud').error(`An export was cut: ${error.message}`));
  if (timeout) limitDuration(stream, timeout);
  const outgoing = findOutgoing(exchange);
  abortOnDisconnect(outgoing, stream);
  const read = () => writeList({ exchange, request, list }, stream, timeout || Infinity);
  const trace = exchange.http[HTTP_STATE_KEY]?.trace;
  if (trace) traceUntilSent(trace, stream, trace.resume(read), outgoing);
  else void read();
  await stream.beginning;

  return makeFile(stream, headers);
}

async function writeList({ exchange, request, list }: Opened, stream: ExportStream, timeout: number): Promise<void> {
  const { signal } = stream;
  const { definition, catalog } = exchange.route;

  try {
    // The writer plans the request, too: a mistake of the client in it is the answer.
    const print = WRITERS[request.parsed.format as ExportFormat]({
      request,
      definition,
      catalog,
      proceed: () => signal.throwIfAborted(),
    });
    await list.read({ signal, timeout, take: async (part) => stream.give(await print(part)) });
    stream.end();
  } catch (error) {
    // The client has disconnected, so there is nobody to answer.
    stream.destroy(clientOf(request)?.isGone ? undefined : (error as Error));
  }
}

function limitDuration(stream: ExportStream, timeout: number): void {
  const timer = setTimeout(() => {
    stream.destroy(crudError('CRUD_TIMEOUT', { message: `The export took longer than ${timeout} ms` }));
  }, timeout);

  stream.once('close', () => clearTimeout(timer));
}

/** Aborts the export when the client disconnects, even before the platform has the stream. */
function abortOnDisconnect(outgoing: ServerResponse, stream: ExportStream): void {
  const gone = (): void => void stream.destroy();
  if (outgoing.destroyed) return gone();

  outgoing.once('close', gone);
}

/** Ends the trace when the last byte is written, or with what cut the export. */
function traceUntilSent(trace: Trace, stream: ExportStream, written: Promise<void>, outgoing: ServerResponse): void {
  const end = trace.holdEnd();

  finished(outgoing, async (failure) => {
    await written;
    const cause = stream.errored ?? (failure && crudError('CRUD_CLIENT_CLOSED'));
    end(stream.sent, cause ? describeRefusal(cause) : undefined);
  });
}

/** Node's response under that of the platform. */
function findOutgoing({ response }: Exchange): ServerResponse {
  const { raw } = response as { readonly raw?: ServerResponse };

  return raw ?? (response as ServerResponse);
}

/** A failing stream must break the connection, whatever the platform would do by default. */
function makeFile(stream: ExportStream, headers: object): StreamableFile {
  const file = new StreamableFile(stream, headers);
  file.setErrorLogger(() => undefined);
  file.setErrorHandler((_, response) => (response as unknown as ServerResponse).destroy());

  return file;
}

/** With `format=`, as in links, the answer is a download. */
function makeDisposition({ http, route: { definition } }: Exchange, format: ExportFormat): { disposition?: string } {
  const names = [definition.language.paramNamesMap?.format ?? 'format'].flat();
  const query = http.query as Record<string, unknown> | undefined;
  if (!names.some((name) => [query?.[name]].flat().includes(format))) return {};

  const [path = ''] = (http.url ?? '').split('?', 1);
  const segment = path.split('/').findLast((part) => part !== '') ?? '';
  const name = /^[\w-]+$/.test(segment) ? segment : definition.modelName;

  return { disposition: `attachment; filename="${name}.${format}"` };
}
