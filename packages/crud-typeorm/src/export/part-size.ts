/** How many records are read at a time, so that a part is of the same size whatever its records are like. */

const FIRST = 100;
const MOST = 2000;
/** Bytes of a part. */
const WANTED = 2 ** 18;
/** How much a part may be larger than the one before. */
const GROWTH = 5;

export class PartSize {
  private size = FIRST;

  /** Records of the next part. */
  get next(): number {
    return this.size;
  }

  /** Learns what a part of so many records became. */
  note(records: number, bytes: number): void {
    if (records === 0) return;
    const wanted = Math.floor((WANTED / Math.max(bytes, 1)) * records);

    this.size = Math.max(1, Math.min(wanted, this.size * GROWTH, MOST));
  }
}
