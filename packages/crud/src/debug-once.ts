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
  const told = new Set<string>();

  return (reason) => {
    if (told.has(reason)) return;

    told.add(reason);
    new Logger('Crud').debug(sentence(reason));
  };
}
