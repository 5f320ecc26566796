import type { Type } from '@nestjs/common';
import { publish } from '../diagnostics/channels.js';
import type { CrudFastPathMessage } from '../diagnostics/messages.js';
import type { JsonList } from './json-list.js';
import type { JsonText } from './json-text.js';

/**
 * For adapters: the result of a verb, as records or as text. Callers take one form only; `records` if `text` is not
 * available.
 */
export interface CrudResult<T = unknown> {
  /** What the verb returns. */
  records(): T | Promise<T>;
  /**
   * The same as JSON, byte for byte what class-transformer and `JSON.stringify` print, or why records are needed.
   * Default: the verb has no text.
   *
   * @param model Class that shapes the records.
   */
  text?(model: Type<unknown>): ResultText | Promise<ResultText>;
}

/** A result as JSON, or why records are needed. */
export type ResultText = JsonText | JsonList | NeedsRecords;

/** Why a result must be records. */
export class NeedsRecords {
  constructor(
    /** The obstacle to text, worded to follow "because of". */
    readonly reason: string,
  ) {}
}

/** Publishes that a fast path was taken, or why not. */
export function reportFastPath(path: CrudFastPathMessage['path'], reason?: string): void {
  publish('nestwright:fast-path', () => ({ path, taken: reason === undefined, reason }));
}
