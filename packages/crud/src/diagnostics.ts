/** Messages are made only when a channel has subscribers. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';

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

const REQUEST = tracingChannel<unknown, CrudRequestMessage>('nestwright:request');

const CHANNELS = {
  'nestwright:query': channel('nestwright:query'),
  'nestwright:retry': channel('nestwright:retry'),
  'nestwright:fault': channel('nestwright:fault'),
  'nestwright:cache': channel('nestwright:cache'),
  'nestwright:fast-path': channel('nestwright:fast-path'),
} satisfies Record<keyof CrudChannels, unknown>;

const REQUEST_EVENTS = [REQUEST.start, REQUEST.end, REQUEST.asyncStart, REQUEST.asyncEnd, REQUEST.error];
const ALL = [...REQUEST_EVENTS, ...Object.values(CHANNELS)];

const requests = new AsyncLocalStorage<CrudRequestMessage>();

/** Whether a channel has subscribers. */
export function isWatched(name: keyof CrudChannels): boolean {
  return CHANNELS[name].hasSubscribers;
}

/**
 * Publishes a message, if the channel has subscribers.
 *
 * @example
 * publish('nestwright:retry', () => ({ attempt: 1, code: '40P01' }));
 */
export function publish<Name extends keyof CrudChannels>(
  name: Name,
  make: () => Omit<CrudChannels[Name], keyof CrudMessage>,
): void {
  const to = CHANNELS[name];

  if (to.hasSubscribers) to.publish({ request: requests.getStore(), ...make() });
}

/** How a request was refused. */
export interface Refusal {
  /** The status of the answer. */
  readonly status: number;
  /** The code of the error; undefined if the error is not the library's. */
  readonly code: string | undefined;
}

/** Whether any channel has subscribers, so that requests are traced. */
export function isTracing(): boolean {
  for (const { hasSubscribers } of ALL) if (hasSubscribers) return true;

  return false;
}

/** A request that is traced. */
export class Trace {
  private readonly message: CrudRequestMessage;
  private readonly began = performance.now();
  private hasEnded = false;
  private isHeld = false;

  constructor(request: Pick<CrudRequestMessage, 'resource' | 'model' | 'route'>) {
    this.message = { ...request, startedAt: Date.now() };
  }

  /** Runs work, so that all messages published during it name the request. Call it once. */
  run<T>(work: () => T): T {
    try {
      return REQUEST.start.runStores(this.message, () => requests.run(this.message, work));
    } finally {
      REQUEST.end.publish(this.message);
    }
  }

  /**
   * Runs work that began after {@link run} returned, such as reading an export, so that its messages name the request,
   * too.
   */
  resume<T>(work: () => T): T {
    return requests.run(this.message, work);
  }

  /** Publishes the end of the request, with the error if it failed. */
  end(refusal?: Refusal): void {
    if (!this.isHeld || refusal) this.publishEnd(refusal);
  }

  /**
   * Leaves the end of a successful request to the returned function: its response is sent after the handler has
   * returned.
   */
  holdEnd(): (sent: Pick<CrudRequestMessage, 'rows' | 'bytes'>, refusal?: Refusal) => void {
    this.isHeld = true;

    return (sent, refusal) => {
      if (!this.hasEnded) Object.assign(this.message, sent);
      this.publishEnd(refusal);
    };
  }

  private publishEnd(refusal: Refusal | undefined): void {
    const { message } = this;
    if (this.hasEnded) return;
    this.hasEnded = true;
    message.durationMs = performance.now() - this.began;
    if (refusal) {
      message.status = refusal.status;
      if (refusal.code !== undefined) message.code = refusal.code;
      REQUEST.error.publish(message);
    }
    REQUEST.asyncStart.publish(message);
    REQUEST.asyncEnd.publish(message);
  }
}
