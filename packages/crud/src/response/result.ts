import type { Type } from '@nestjs/common';
import { publish } from '../diagnostics/channels.js';
import type { CrudFastPathMessage } from '../diagnostics/messages.js';
import type { JsonList, JsonText } from './json-list.js';

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

/**
 * For adapters: a part of a list, in its order. Callers take it in one form only; `records` if another form is not
 * available.
 */
export interface ExportPart {
  /** The records. */
  records(): readonly unknown[] | Promise<readonly unknown[]>;
  /**
   * The same as JSON, a text per record, byte for byte what class-transformer and `JSON.stringify` print, or why
   * records are needed. Default: they are.
   *
   * @param model Class that shapes the records.
   */
  texts?(model: Type<unknown>): readonly string[] | Promise<readonly string[]> | NeedsRecords;
  /**
   * The same as a table, or why records are needed. Default: they are.
   *
   * @param model Class that shapes the records.
   */
  cells?(model: Type<unknown>): ExportCells | NeedsRecords;
}

/** The records of a part as a table. */
export interface ExportCells {
  /** Names of the columns, those of related records and embedded objects behind dots. */
  readonly columns: readonly string[];
  /** A text or null for each column of each record: texts as they are, anything else as JSON prints it. */
  rows(): (string | null)[][] | Promise<(string | null)[][]>;
}

/** For adapters: the reader of the list. */
export interface ExportReader {
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the export is cut; Infinity: none. */
  readonly timeout: number;
  /**
   * Takes a part (of an empty list, one without records); resolves when the reader wants the next one.
   *
   * @returns The size of the part in bytes.
   */
  take(part: ExportPart): Promise<number>;
}

/** What a handler returns in place of the records of a list. */
export class ListExport {
  // Printed as JSON it is nothing.
  readonly #read: (reader: ExportReader) => Promise<void>;

  /** @param read Passes all parts to the reader, one after the other; resolves at the end of the list. */
  constructor(read: (reader: ExportReader) => Promise<void>) {
    this.#read = read;
  }

  /** Reads the list, once, and passes its parts to the reader. */
  read(reader: ExportReader): Promise<void> {
    return this.#read(reader);
  }
}
