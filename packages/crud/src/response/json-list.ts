/** A list as JSON: one text if it is short, else chunks of bytes, so that joining it does not block the event loop. */
import { mapInSlices } from '../time-slices.js';

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
        const piece = `${start === 0 ? before : ','}${texts.slice(start, end).join(',')}${end === texts.length ? after : ''}`;
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
