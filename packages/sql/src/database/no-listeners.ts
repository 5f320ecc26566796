import type { Listeners } from './database.js';

/** Of an ORM without subscribers: nobody listens. */
export const NO_LISTENERS: Listeners = {
  observeLoads: false,
  observeTransactions: false,
  observe: () => false,
  observeLoadsOf: () => false,
  broadcast: () => Promise.resolve(),
  broadcastLoad: () => Promise.resolve(),
  broadcastRemoval: () => Promise.resolve(),
};
