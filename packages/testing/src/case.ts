/** Promises of the library that any adapter keeps, and what shows each. */
import type { Kit } from './application.js';

/** Asserts a promise. */
export type Case = (kit: Kit) => Promise<void>;

/** Cases of one kind, by the promises. */
export interface Suite {
  readonly title: string;
  readonly cases: Readonly<Record<string, Case>>;
}

export const suite = (title: string, cases: Suite['cases']): Suite => ({ title, cases });
