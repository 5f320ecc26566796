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

/** A request that is traced. */
export interface Trace {
  /** Runs work, so that all messages published during it name the request. Call it once. */
  run<T>(work: () => T): T;
  /**
   * Runs work that began after {@link run} returned, such as reading an export, so that its messages name the request,
   * too.
   */
  resume<T>(work: () => T): T;
  /** Publishes the end of the request, with the error if it failed. */
  end(refusal?: Refusal): void;
  /**
   * Leaves the end of a successful request to the returned function: its response is sent after the handler has
   * returned.
   */
  holdEnd(): (sent: Pick<CrudRequestMessage, 'rows' | 'bytes'>, refusal?: Refusal) => void;
}

/** The trace of a request; undefined if no channel has subscribers. */
export function traceRequest(make: () => Pick<CrudRequestMessage, 'resource' | 'model' | 'route'>): Trace | undefined {
  if (!ALL.some(({ hasSubscribers }) => hasSubscribers)) return undefined;

  const message: CrudRequestMessage = { ...make(), startedAt: Date.now() };
  const began = performance.now();
  let ended = false;
  let held = false;

  const end = (refusal?: Refusal): void => {
    if (ended) return;
    ended = true;
    message.durationMs = performance.now() - began;
    if (refusal) {
      message.status = refusal.status;
      if (refusal.code !== undefined) message.code = refusal.code;
      REQUEST.error.publish(message);
    }
    REQUEST.asyncStart.publish(message);
    REQUEST.asyncEnd.publish(message);
  };

  return {
    run: (work) => {
      try {
        return REQUEST.start.runStores(message, () => requests.run(message, work));
      } finally {
        REQUEST.end.publish(message);
      }
    },
    resume: (work) => requests.run(message, work),
    end: (refusal) => {
      if (!held || refusal) end(refusal);
    },
    holdEnd: () => {
      held = true;

      return (sent, refusal) => {
        if (!ended) Object.assign(message, sent);
        end(refusal);
      };
    },
  };
}
