/** A promise of the library that any adapter keeps, and what shows it. */
import type { Kit } from './application.js';

export interface Case {
  /** The promise. */
  readonly title: string;
  /** Asserts it. */
  run(kit: Kit): Promise<void>;
}

/** Cases of one kind. */
export interface Suite {
  readonly title: string;
  readonly cases: readonly Case[];
}

export function suite(title: string, cases: Readonly<Record<string, Case['run']>>): Suite {
  return { title, cases: Object.entries(cases).map(([promise, run]) => ({ title: promise, run })) };
}
