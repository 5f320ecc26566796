/** Small choices from a list of numbers, one after another. When the list is exhausted each is the first, which is the plainest. */
export class Draws {
  private next = 0;

  constructor(private readonly numbers: readonly number[]) {}

  /** A number below `count`. */
  below(count: number): number {
    const number = this.numbers[this.next++] ?? 0;

    return count <= 0 ? 0 : number % count;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }
}
