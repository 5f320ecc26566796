/** Small choices drawn at random, the same for the same seed. */
export class Draws {
  constructor(private state: number) {}

  /** A number below `count`. */
  below(count: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * Math.max(count, 1));
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  /** Up to `most` of what is made. */
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Deals items; each comes up once before any comes up again. */
  dealer<T>(items: readonly T[]): (count: number) => T[] {
    let left: T[] = [];
    return (count) =>
      Array.from({ length: count }, () => {
        if (left.length === 0) left = [...items];
        return left.splice(this.below(left.length), 1)[0]!;
      });
  }
}
