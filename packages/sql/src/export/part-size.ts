/** How many records are read at a time, so that parts have about the same size in bytes. */

const FIRST = 100;
const MAX_SIZE = 2000;
/** Target size of a part, in bytes. */
const WANTED = 2 ** 18;
/** Maximum growth from one part to the next. */
const GROWTH = 5;

export class PartSize {
  private size = FIRST;

  get next(): number {
    return this.size;
  }

  /** Updates the estimate with the size of a part. */
  note(records: number, bytes: number): void {
    if (records === 0) return;
    const wanted = Math.floor((WANTED / Math.max(bytes, 1)) * records);

    this.size = Math.max(1, Math.min(wanted, this.size * GROWTH, MAX_SIZE));
  }
}
