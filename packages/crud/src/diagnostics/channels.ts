/** Messages are made only where somebody listens. */
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

/** Whether anybody listens to a channel, so that it is worth looking. */
export function isWatched(name: keyof CrudChannels): boolean {
  return CHANNELS[name].hasSubscribers;
}

/**
 * Publishes a message, if anybody listens.
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

/** A request that somebody watches. */
export interface Trace {
  /** Does work of which all messages name the request. To be called once. */
  run<T>(work: () => T): T;
  /** Tells the end; with what the client is refused for, if it is. */
  end(refusal?: { readonly status: number; readonly code: string | undefined }): void;
}

/** What tells of a request; undefined where nobody listens to anything. */
export function traceRequest(make: () => Pick<CrudRequestMessage, 'resource' | 'model' | 'route'>): Trace | undefined {
  if (!ALL.some(({ hasSubscribers }) => hasSubscribers)) return undefined;

  const message: CrudRequestMessage = { ...make(), startedAt: Date.now() };
  const began = performance.now();
  let ended = false;

  return {
    run: (work) => {
      try {
        return REQUEST.start.runStores(message, () => requests.run(message, work));
      } finally {
        REQUEST.end.publish(message);
      }
    },
    end: (refusal) => {
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
    },
  };
}
