/** Keys and how to make what belongs to them in, the things out, each made once as long as it is in use; the one that was not used for longest gives way. */

/** A bounded store of things that are dear to make. */
export class Recent<T> {
  private readonly entries = new Map<string, T>();

  constructor(private readonly capacity: number) {}

  /** The thing under a key: kept, or made now. */
  get(key: string, make: () => T): T {
    const known = this.entries.get(key);

    if (known !== undefined) {
      // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
      this.entries.delete(key);
      this.entries.set(key, known);

      return known;
    }

    const made = make();

    this.entries.set(key, made);

    if (this.entries.size > this.capacity) {
      this.entries.delete(this.entries.keys().next().value!);
    }

    return made;
  }
}
