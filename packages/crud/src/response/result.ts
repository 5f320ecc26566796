import type { Type } from '@nestjs/common';
import { publish } from '../diagnostics/channels.js';
import type { CrudFastPathMessage } from '../diagnostics/messages.js';
import type { JsonList } from './json-list.js';
import type { JsonText } from './json-text.js';

/**
 * For adapters: what a verb has read or stored, before it is decided how it leaves. Only one of its faces is asked for, `records` after `text` has refused.
 */
export interface CrudResult<T = unknown> {
  /** What the verb returns. */
  records(): T | Promise<T>;
  /**
   * The same as JSON, byte for byte what class-transformer and `JSON.stringify` make of the records, or why that takes the records. Default: nobody expects text of this verb.
   *
   * @param model Class that shapes the records.
   */
  text?(model: Type<unknown>): ResultText | Promise<ResultText>;
}

/** A result as JSON, or why it is left to records. */
export type ResultText = JsonText | JsonList | NeedsRecords;

/** Why a result leaves as records. */
export class NeedsRecords {
  constructor(
    /** What stands in the way of text, as it completes "because of …". */
    readonly reason: string,
  ) {}
}

/** Tells that a short cut was taken, or why not, to whoever listens. */
export function reportFastPath(path: CrudFastPathMessage['path'], reason?: string): void {
  publish('nestwright:fast-path', () => ({ path, taken: reason === undefined, reason }));
}
