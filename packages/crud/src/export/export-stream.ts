import { Readable } from 'node:stream';
import { crudError } from '../errors/errors.js';

/** A file that is sent while it is made. Whoever makes it waits as long as its reader does not want more. */
export class ExportStream extends Readable {
  private readonly gone = new AbortController();
  private wanted: (() => void) | undefined;
  private begun!: { resolve: () => void; reject: (error: Error) => void };
  /** Whether anything was sent, or the file has ended. */
  hasBegun = false;
  /** Fulfilled with the first piece, or the end of an empty file; rejected where it fails before. */
  readonly beginning: Promise<void>;

  constructor() {
    super();
    this.beginning = new Promise((resolve, reject) => (this.begun = { resolve, reject }));
    this.beginning.catch(() => undefined);
  }

  /** Aborted when nobody reads any more. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  /** Sends a piece; fulfilled when more is wanted. */
  async give(piece: string): Promise<void> {
    this.signal.throwIfAborted();
    if (piece === '') return;

    const isWanted = this.push(piece, 'utf8');
    this.begin();
    if (!isWanted) await new Promise<void>((resolve) => (this.wanted = resolve));
    this.signal.throwIfAborted();
  }

  /** Ends the file, which is whole. */
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
