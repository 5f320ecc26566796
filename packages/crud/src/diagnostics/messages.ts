/**
 * What is published on each channel of `node:diagnostics_channel`; types alone. No message holds a value that a client
 * sent or that is stored.
 */

/**
 * A request to a handler of a resource, on `tracingChannel('nestwright:request')`; the same object with each of its
 * events.
 */
export interface CrudRequestMessage {
  /** Name of the controller's class. */
  readonly resource: string;
  /** Name of the record type. */
  readonly model: string;
  /** Name of the route (`getManyBase`), or of a handler of the application's own. */
  readonly route: string;
  /** When the handler began, in milliseconds since 1970. */
  readonly startedAt: number;
  /**
   * How long it took, of an export until its last byte was written, in milliseconds; there with `asyncStart`,
   * `asyncEnd` and `error`.
   */
  durationMs?: number;
  /** HTTP status of a refusal, or of what cut an export; there with `error`, and with what follows it. */
  status?: number;
  /** Code of a refusal, if it has one. */
  code?: string;
  /** Records of an export that were sent; there with `durationMs`. */
  rows?: number;
  /** Bytes of an export that were sent; there with `durationMs`. */
  bytes?: number;
}

/** What the messages of all other channels have. */
export interface CrudMessage {
  /** The request that it belongs to; undefined outside of requests, and for one that began before anybody listened. */
  readonly request?: CrudRequestMessage | undefined;
}

/** On `nestwright:query`: a statement that the database has answered. */
export interface CrudQueryMessage extends CrudMessage {
  /** Its text, with placeholders for its values. */
  readonly sql: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Until its answer was there, a wait for a connection of the pool included, in milliseconds. */
  readonly durationMs: number;
  /** How many rows came; undefined if the statement failed. */
  readonly rows?: number | undefined;
  /** Code of the database or its driver if the statement failed and there is one. */
  readonly code?: string | undefined;
  /** Whether the database refused it. */
  readonly failed: boolean;
}

/**
 * On `nestwright:retry`: work that is retried after a deadlock or a serialization failure, or a read whose replica is
 * down.
 */
export interface CrudRetryMessage extends CrudMessage {
  /** Which repetition begins, from 1. */
  readonly attempt: number;
  /** Code of the database or its driver. */
  readonly code?: string | undefined;
}

/** On `nestwright:fault`: an error of the database that a client receives. */
export interface CrudFaultMessage extends CrudMessage {
  /** Such as `unique`, `conflict`, `lockWait`, `timeout`, `unavailable`. */
  readonly kind: string;
  /** Code of the database or its driver. */
  readonly code?: string | undefined;
  /** The code that the client reads. */
  readonly answer: string;
}

/** On `nestwright:cache`: a statement of a cached read. */
export interface CrudCacheMessage extends CrudMessage {
  /** `failure`: the store did not answer, and the read went to the database or its result was not kept. */
  readonly outcome: 'hit' | 'miss' | 'replace' | 'failure';
}

/** On `nestwright:fast-path`: whether a request took a short cut. */
export interface CrudFastPathMessage extends CrudMessage {
  /** `text`: an answer written straight from the rows. `returning`: a write by one statement that answers. */
  readonly path: 'text' | 'returning';
  /** Whether the short cut was taken. */
  readonly taken: boolean;
  /** Why it was not. */
  readonly reason?: string | undefined;
}

/** The messages by channel. */
export interface CrudChannels {
  /** Statements that the database has answered. */
  'nestwright:query': CrudQueryMessage;
  /** Work that is done again after a deadlock or a conflict. */
  'nestwright:retry': CrudRetryMessage;
  /** Errors of the database that a client receives. */
  'nestwright:fault': CrudFaultMessage;
  /** Statements of cached reads. */
  'nestwright:cache': CrudCacheMessage;
  /** Whether requests took a short cut. */
  'nestwright:fast-path': CrudFastPathMessage;
}
