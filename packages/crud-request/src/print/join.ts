/** A join comes in, its text goes out, which `parseJoin` reads as that join; names that hold a delimiter, and bad conditions, are refused. */
import type { CustomOperatorTable } from '../syntax/custom-operators.js';
import type { QueryLanguage } from '../syntax/language.js';
import { escapeItem } from '../syntax/escape.js';
import type { QueryJoin, QueryJoinArr } from '../types.js';
import { printCondition } from './condition.js';
import { printName } from './text.js';
import { printNames } from './names.js';

/** Prints one join. */
export function printJoin(
  join: QueryJoin | QueryJoinArr,
  language: QueryLanguage,
  custom: CustomOperatorTable,
): string {
  const { delim, delimStr } = language;
  const [field, select, on] = Array.isArray(join) ? join : [join?.field, join?.select, join?.on];
  let text = printName(field, 'Invalid join field. String expected', delim);
  if (select) {
    const names = printNames(select, 'Invalid join select. Array of strings expected', delimStr, delim);
    text += names && delim + names;
  }
  if (on?.length) {
    const conditions = on.map(
      (condition, index) =>
        `on[${index}]=${escapeItem(printCondition(condition, 'filter', language, custom), delimStr)}`,
    );
    text += delim + conditions.join(delimStr);
  }

  return text;
}
