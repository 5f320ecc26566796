/** Everything that an adapter must keep. */
import type { Suite } from '../application.js';
import { hooks, transactions } from './hooks.js';
import { aggregates, cursors, exports, tags } from './lists.js';
import { oracle } from './oracle.js';
import { relations, routes } from './routes.js';
import { hidden, scope } from './scope.js';
import { many, upserts, writes } from './writes.js';

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
