/** Messages are made only when a channel has subscribers. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { CrudChannels, CrudMessage, CrudRequestMessage } from './messages.js';

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

/** Status and code of an error. */
export interface Refusal {
  readonly status: number;
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
