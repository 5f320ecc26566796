import { Logger } from '@nestjs/common';

/** Tells a reason, unless that was done before. */
export type ReportsReason = (reason: string) => undefined;

/**
 * What falls back to a plain path says why by one of these, made once for each route or class.
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
