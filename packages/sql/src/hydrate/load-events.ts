import type { Listeners } from '../database/database.js';
import type { ReadShape } from './read-rows.js';
import type { RecordShape } from './record-shape.js';

/** Whether entities of a read have listeners of their own. */
export function hasLoadListeners(listeners: Listeners, { shape, related }: ReadShape): boolean {
  const isHeard = ({ table, joined }: RecordShape): boolean =>
    [table, ...table.children].some((one) => listeners.observeLoadsOf(one)) ||
    joined.some((join) => isHeard(join.shape));

  return isHeard(shape) || related.some((one) => hasLoadListeners(listeners, one));
}
