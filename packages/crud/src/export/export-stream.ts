/** The file of an export: sent while it is written; of a list that is read already, in parts. */
import { Readable } from 'node:stream';
import type { CrudRequest } from '../crud-request.js';
import { EXPORT } from '../definition/option-table.js';
import { crudError } from '../errors.js';
import { ListExport } from '../response/result.js';
import { isEnvelope } from '../serialization/serialize.js';
import type { ExportPiece } from './export-writer.js';

/** A file that is sent while it is written, with backpressure: the writer waits until the reader wants more. */
export class ExportStream extends Readable {
  private readonly gone = new AbortController();
  private wanted: (() => void) | undefined;
  private begun!: { resolve: () => void; reject: (error: Error) => void };
  /** Whether anything was sent, or the file has ended. */
  hasBegun = false;
  readonly sent = { rows: 0, bytes: 0 };
  /** Resolves with the first piece, or at the end of an empty file; rejects if writing fails before. */
  readonly beginning: Promise<void>;

  constructor() {
    super();
    this.beginning = new Promise((resolve, reject) => (this.begun = { resolve, reject }));
    this.beginning.catch(() => undefined);
  }

  /** Aborted when the reader is gone. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  /** Sends a piece; resolves with its size in bytes when the reader wants more. */
  async give({ text, rows }: ExportPiece): Promise<number> {
    this.signal.throwIfAborted();
    if (text === '') return 0;

    const piece = Buffer.from(text);
    this.sent.rows += rows;
    this.sent.bytes += piece.length;
    const isWanted = this.push(piece);
    this.begin();
    if (!isWanted) await new Promise<void>((resolve) => (this.wanted = resolve));
    this.signal.throwIfAborted();

    return piece.length;
  }

  /** Ends the file, which is complete. */
  end(): void {
    if (!this.destroyed) this.push(null);
    this.begin();
  }

  private begin(): void {
    this.hasBegun = true;
    this.begun.resolve();
  }

  override _read(): void {
    const { wanted } = this;
    this.wanted = undefined;
    wanted?.();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.gone.abort();
    this.begun.reject(error ?? crudError('CRUD_CLIENT_CLOSED'));
    this._read();
    callback(error);
  }
}

/** For adapters: exports that may run at a time if the options do not say. */
export const DEFAULT_CONCURRENT = EXPORT.concurrent.unset;

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

/** How many exports run in this process. */
let running = 0;

/**
 * Takes a slot for an export; call the returned function once, when the export ends.
 *
 * @throws HttpException 503 `CRUD_UNAVAILABLE` if all slots are taken.
 */
export function beginExport(most = DEFAULT_CONCURRENT): () => void {
  if (running >= most)
    throw crudError('CRUD_UNAVAILABLE', { message: 'Too many exports are running', retryAfter: RETRY_AFTER });

  running += 1;
  let ended = false;

  return () => {
    if (!ended) running -= 1;
    ended = true;
  };
}

/** Records of a part. */
const PART = 500;

/** The export of a list or a page; undefined for what is neither. */
export function exportRecords(result: unknown, request: CrudRequest): ListExport | undefined {
  const records: readonly unknown[] | undefined = Array.isArray(result)
    ? result
    : isEnvelope(result)
      ? result.data
      : undefined;
  if (!records) return undefined;

  refuseLong(records.length, request);

  return new ListExport(async ({ take }) => {
    for (let start = 0; start === 0 || start < records.length; start += PART) {
      const part = records.slice(start, start + PART);
      await take({ records: () => part });
    }
  });
}

/**
 * For adapters: refuses a list that is longer than `maxRows`.
 *
 * @throws HttpException 400 `CRUD_LIMIT_EXCEEDED`.
 */
export function refuseLong(length: number, request: CrudRequest): void {
  const { maxRows = Infinity } = request.options?.query?.export ?? {};
  if (length <= maxRows) return;

  throw crudError('CRUD_LIMIT_EXCEEDED', {
    message: `The list is too long to be exported. At most ${maxRows} records expected`,
  });
}
