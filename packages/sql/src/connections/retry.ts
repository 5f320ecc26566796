import { setTimeout as delay } from 'node:timers/promises';
import { publish } from '@nestwright/crud/adapter';
import { readErrorCode } from '../errors/fault.js';
import { isRetryable, readCause } from '../errors/operational.js';

const RETRIES = 5;

/** Maximum pause before the first retry, in milliseconds; it doubles with each. */
const FIRST_PAUSE = 20;

/**
 * Runs work, and retries it if a retry may succeed: five times, or as often as the caller allows.
 *
 * @param mayRetry After which errors. Default: conflicts.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  retries = RETRIES,
  mayRetry: (error: unknown) => boolean = isRetryable,
): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry >= retries || !mayRetry(error)) throw error;

      publish('nestwright:retry', () => ({ attempt: retry + 1, code: readErrorCode(readCause(error)) }));
      await delay(Math.random() * FIRST_PAUSE * 2 ** Math.min(retry, RETRIES - 1));
    }
  }
}
