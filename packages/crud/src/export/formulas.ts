/** Defuses texts that a spreadsheet would run as formulas. */
import type { ColumnKind } from '../plan/catalog.js';
import type { Cell, Column } from './columns.js';

/** First characters of formulas. */
const FIRST: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r']);

/** Kinds whose values are not texts, although some are printed as texts. */
const PLAIN: ReadonlySet<ColumnKind | undefined> = new Set<ColumnKind>([
  'integer',
  'bigint',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
  'array',
  'binary',
]);

/** A number, a duration or a moment, whatever a transformer has made of it. */
const NUMERIC = /^[+-]\d[\d.:]*(?:e[+-]?\d+)?$|^[+-]\d{6}-\d\d-\d\dT[\d:.]+Z$/i;

/** Puts an apostrophe before a formula; negative numbers stay as they are. */
export function defuse(row: Cell[], columns: readonly Column[]): void {
  for (let index = 0; index < row.length; index += 1) {
    const text = row[index];
    if (typeof text !== 'string' || !FIRST.has(text.charAt(0))) continue;
    if (!PLAIN.has(columns[index]!.kind) || !NUMERIC.test(text)) row[index] = `'${text}`;
  }
}
