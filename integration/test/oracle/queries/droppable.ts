/** An arbitrary that always generates a value, and that shrinks to undefined before it shrinks the value. */
import fc from 'fast-check';

interface Context {
  readonly inner: unknown;
}

class Droppable<T> extends fc.Arbitrary<T | undefined> {
  constructor(private readonly inner: fc.Arbitrary<T>) {
    super();
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T | undefined> {
    const { value_, context } = this.inner.generate(random, biasFactor);

    return new fc.Value(value_, { inner: context } satisfies Context);
  }

  override canShrinkWithoutContext(value: unknown): value is T | undefined {
    return value === undefined;
  }

  override shrink(value: T | undefined, context: unknown): fc.Stream<fc.Value<T | undefined>> {
    if (value === undefined) return fc.Stream.nil();
    const smaller = this.inner.shrink(value, (context as Context).inner);

    return fc.Stream.of(new fc.Value<T | undefined>(undefined, undefined)).join(
      smaller.map(({ value_, context: inner }) => new fc.Value<T | undefined>(value_, { inner } satisfies Context)),
    );
  }
}

export const droppable = <T>(inner: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => new Droppable(inner);
