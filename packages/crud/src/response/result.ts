import type { Type } from '@nestjs/common';
import { type CrudFastPathMessage, publish } from '../diagnostics.js';
import { mapInSlices } from '../time-slices.js';

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

// A list as JSON is one text if it is short, else chunks of bytes, so that joining it does not block the event loop.

/** A body that is JSON already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Length from which a list is long, in UTF-16 units. */
const LONG = 2 ** 20;
/** Minimum length of a chunk, in UTF-16 units. */
const PIECE = 2 ** 16;

/** A long list as the texts of its records. */
export class JsonList {
  constructor(
    private readonly texts: string[],
    private readonly before: string,
    private readonly after: string,
  ) {}

  /** The list in one piece. */
  whole(): JsonText {
    return new JsonText(`${this.before}${this.texts.join(',')}${this.after}`);
  }

  /**
   * The list in chunks, made in time slices. Texts are released once they are in a chunk, so that the list is not held
   * in memory twice.
   *
   * @param proceed See {@link mapInSlices}.
   */
  async pieces(proceed: () => void): Promise<Uint8Array[]> {
    const { texts, before, after } = this;

    return mapInSlices(
      findPieceEnds(texts),
      (end, index, ends) => {
        const start = ends[index - 1] ?? 0;
        const [head, tail] = [start === 0 ? before : ',', end === texts.length ? after : ''];
        const piece = head + texts.slice(start, end).join(',') + tail;
        texts.fill('', start, end);

        return Buffer.from(piece);
      },
      proceed,
    );
  }
}

/**
 * Writes a list.
 *
 * @param texts The records, which are the list's from now on.
 * @param before The text before the records. Default: `[`.
 * @param after The text after them. Default: `]`.
 * @example
 * jsonList(['{"id":1}', '{"id":2}']); // JsonText [{"id":1},{"id":2}]
 */
export function jsonList(texts: readonly string[], before = '[', after = ']'): JsonText | JsonList {
  let length = 0;
  for (const text of texts) length += text.length;

  return length < LONG
    ? new JsonText(before + texts.join(',') + after)
    : new JsonList(texts as string[], before, after);
}

/** Where pieces end. */
function findPieceEnds(texts: readonly string[]): number[] {
  const ends: number[] = [];
  let length = 0;

  for (const [index, text] of texts.entries()) {
    length += text.length;

    if (length >= PIECE || index === texts.length - 1) {
      ends.push(index + 1);
      length = 0;
    }
  }

  return ends;
}
