/**
 * Parses what records are grouped by.
 *
 * @grammar
 * groupBy = group { delimStr group }
 *         | group delim alias ;
 * group   = name [ ":" unit ] ;
 * unit    = "day" | "week" | "month" | "quarter" | "year" ;
 * alias   = letter { letter | digit | "_" | "." } ;  (* at most 64 characters *)
 */
import { isAlias, UNIT } from '../syntax/aggregates.js';
import { cut } from '../syntax/list.js';
import type { QueryGroup } from '../types/query.js';
import { parseName } from './names.js';
import { type ParseContext, refuseText } from './parse-context.js';

/** Appends one group with its name, or several without, to a list. */
export function parseGroups(text: string, groups: QueryGroup[], context: ParseContext): void {
  const { delim, delimStr } = context.language;
  const [, named] = cut(text, delim);
  if (named) {
    const group = text.slice(0, named - delim.length);
    groups.push({ ...parseGroup(group, 0, context), name: parseAlias(text, named, context) });

    return;
  }
  for (let at = 0, more = true; more;) {
    const [group, next] = cut(text, delimStr, at);
    groups.push({ ...parseGroup(group, at, context), name: group });
    more = next > 0;
    at = next;
  }
}

function parseGroup(text: string, at: number, context: ParseContext): Omit<QueryGroup, 'name'> {
  const [, field = text, unit] = UNIT.exec(text) ?? [];
  parseName(field, at, context);

  return unit ? { field, unit: unit as NonNullable<QueryGroup['unit']> } : { field };
}

/** The name that the rest of a text gives. */
export function parseAlias(text: string, at: number, context: ParseContext): string {
  const alias = text.slice(at);
  if (!isAlias(alias)) {
    refuseText(
      context,
      at,
      `Invalid ${context.parameter} name. A letter, then letters, digits, _ and . expected, 64 at most`,
    );
  }

  return alias;
}
