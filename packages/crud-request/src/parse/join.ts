/**
 * The text of one join comes in, the join goes out; an empty name, a bad condition and too many of either are refused.
 *
 * @grammar
 * join     = relation [ delim [ fields ] ] [ delim on ] ;
 * relation = name ;
 * on       = numbered { delimStr numbered } ;
 * numbered = "on[" digits "]=" condition ;         (* "\" and the first character of delimStr are escaped by "\" *)
 */
import type { QueryFilter, QueryJoin } from '../types.js';
import { cut } from '../syntax/cut.js';
import { parseCondition } from './condition.js';
import { parseName, parseNames } from './names.js';
import { type QueryReading, refuseAt } from './reading.js';

// Sticky: it matches where it is told to, and nowhere else.
const OPENING = /on\[\d+\]=/y;

/** Reads one join. */
export function parseJoin(text: string, reading: QueryReading): QueryJoin {
  const { delim } = reading.language;
  const [field, next] = cut(text, delim);
  parseName(field, 0, reading);
  const join: QueryJoin = { field };
  let at = next;
  if (at && !openingAt(text, at)) {
    const [names, behind] = cut(text, delim, at);
    if (names) {
      reading.offset = at;
      parseNames(names, (join.select = []), reading);
      reading.offset = 0;
    }
    at = behind;
  }
  if (at) {
    join.on = parseOn(text, at, reading);
  }

  return join;
}

/** Conditions of a join. A delimiter that starts no new condition belongs to the one before, as clients print them that do not escape. */
function parseOn(text: string, start: number, reading: QueryReading): QueryFilter[] {
  const { delimStr } = reading.language;
  const on: QueryFilter[] = [];
  for (let at = start; at < text.length || !on.length; at += delimStr.length) {
    const opening = openingAt(text, at);
    if (!opening) {
      refuseAt(reading, at, 'Invalid join condition. on[0]= expected');
    }
    at += opening;
    reading.offset = at;
    let condition = '';
    while (
      at < text.length &&
      !(text[at] === delimStr[0] && text.startsWith(delimStr, at) && openingAt(text, at + delimStr.length))
    ) {
      if (text[at] === '\\' && (text[at + 1] === '\\' || text[at + 1] === delimStr[0])) {
        at += 1;
      }
      condition += text[at];
      at += 1;
    }
    on.push(parseCondition(condition, reading).filter);
    reading.offset = 0;
  }

  return on;
}

/** Length of the opening of a condition at an offset; 0 where none stands. */
function openingAt(text: string, at: number): number {
  OPENING.lastIndex = at;

  return OPENING.exec(text)?.[0].length ?? 0;
}
