/** Deals the queries of a run to the resources, so that every cell comes up equally often. */
import { type Cell, cellsOf } from '../queries/cells.js';
import type { Subjects } from '../queries/generate.js';

export interface PlannedQuery {
  readonly index: number;
  readonly subjects: Subjects;
  readonly cells: readonly Cell[];
}

/** Comparisons of one query after the other; five on average. */
const HAND_SIZES = [1, 4, 2, 7, 3, 9, 5, 6, 8, 5] as const;
/** Of this many queries, so many go to the resource that has every cell. */
const ROUND = 20;
const TO_MAIN = 13;

/** Deals cells; each comes up once before any comes up again. */
class Deck {
  private left: Cell[] = [];

  constructor(
    private readonly cells: readonly Cell[],
    private readonly random: () => number,
  ) {}

  deal(size: number): Cell[] {
    const dealt: Cell[] = [];
    while (dealt.length < size && this.cells.length > 0) {
      if (this.left.length === 0) this.left = shuffled(this.cells, this.random);
      dealt.push(...this.left.splice(0, size - dealt.length));
    }

    return dealt;
  }
}

/** Plans the queries of a run; the first resource is the one that has every cell. */
export function planQueries(runs: number, seed: number, resources: readonly Subjects[]): PlannedQuery[] {
  const random = randomOf(seed);
  const decks = resources.map(({ fields }) => new Deck(cellsOf(fields), random));
  const sizes = new Map<number, number>();
  let other = 0;

  return Array.from({ length: runs }, (_, index) => {
    const place = index % ROUND < TO_MAIN ? 0 : 1 + (other++ % (resources.length - 1));
    const nth = sizes.get(place) ?? 0;
    sizes.set(place, nth + 1);

    return { index, subjects: resources[place]!, cells: decks[place]!.deal(HAND_SIZES[nth % HAND_SIZES.length]!) };
  });
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }

  return copy;
}

/** A small generator of numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;

  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
