/** A whole list that is read part by part, while what was read is sent. */
import type { Type } from '@nestjs/common';
import type { NeedsRecords } from './result.js';

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
