import type { Column } from '../database/database.js';
import type { DirectText, TextFormat } from '../database/rows.js';

/** How a column's text is read directly, if the driver's values of the column stay as they are. */
export function directText(column: Column, text: TextFormat | undefined): DirectText | undefined {
  const { isTransformed, isArray, type, isUtc } = column;
  const raw = text?.raw;

  return raw && !isTransformed && isArray === (raw.isArray ?? false) && raw.columnTypes.has(type) && !isUtc
    ? raw
    : undefined;
}
