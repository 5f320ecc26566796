/** Everything that an adapter must keep. */
import type { Suite } from '../case.js';
import { aggregates } from './aggregates.js';
import { cursors } from './cursors.js';
import { exports } from './exports.js';
import { hidden } from './hidden.js';
import { hooks, transactions } from './hooks.js';
import { many, upserts } from './many.js';
import { oracle } from './oracle.js';
import { relations } from './relations.js';
import { routes } from './routes.js';
import { scope } from './scope.js';
import { tags } from './tags.js';
import { writes } from './writes.js';

export const SUITES: readonly Suite[] = [
  routes,
  writes,
  relations,
  scope,
  hidden,
  cursors,
  exports,
  aggregates,
  many,
  upserts,
  tags,
  hooks,
  transactions,
  oracle,
];
