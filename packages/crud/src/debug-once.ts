import { Logger } from '@nestjs/common';

/** Logs a reason, unless it was logged before. */
export type ReportsReason = (reason: string) => undefined;

/**
 * Makes a logger of reasons why a fast path was not taken; make one per route or class.
 *
 * @example
 * const report = debugOnce((reason) => `Users: answers are made of records because of ${reason}`);
 */
export function debugOnce(sentence: (reason: string) => string): ReportsReason {
  const logged = new Set<string>();

  return (reason) => {
    if (logged.has(reason)) return;

    logged.add(reason);
    new Logger('Crud').debug(sentence(reason));
  };
}
