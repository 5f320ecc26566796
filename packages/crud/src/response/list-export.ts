/** A whole list that is read part by part, while what was read is sent. */
import type { Type } from '@nestjs/common';
import type { NeedsRecords } from './result.js';

/** For adapters: a part of a list, in its order. Only one of its faces is asked for, `records` after another has refused. */
export interface ExportPart {
  /** The records. */
  records(): readonly unknown[] | Promise<readonly unknown[]>;
  /**
   * The same as JSON, a text per record, byte for byte what class-transformer and `JSON.stringify` make of it, or why that takes the records. Default: it does.
   *
   * @param model Class that shapes the records.
   */
  texts?(model: Type<unknown>): readonly string[] | Promise<readonly string[]> | NeedsRecords;
  /**
   * The same as a table, or why that takes the records. Default: it does.
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

/** For adapters: who wants the list. */
export interface ExportReader {
  /** Aborted as soon as nobody wants it any more. */
  readonly signal: AbortSignal;
  /**
   * Takes a part, of an empty list one without records; fulfilled when the next one is wanted.
   *
   * @returns How many bytes the part became.
   */
  take(part: ExportPart): Promise<number>;
}

/** What a handler returns in place of the records of a list. */
export class ListExport {
  // Whoever prints it prints nothing.
  readonly #read: (reader: ExportReader) => Promise<void>;

  /** @param read Hands all parts over, one after the other, and is fulfilled at the end of the list. */
  constructor(read: (reader: ExportReader) => Promise<void>) {
    this.#read = read;
  }

  /** Reads the list, once, and hands its parts over. */
  read(reader: ExportReader): Promise<void> {
    return this.#read(reader);
  }
}
