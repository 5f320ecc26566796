import type { CustomOperatorTable } from '../syntax/custom-operators.js';
import type { Spelling } from '../syntax/usual.js';
import { escapeItem } from '../syntax/list.js';
import type { QueryJoin, QueryJoinArr } from '../types/query.js';
import { printCondition } from './condition.js';
import { printName, printNames } from './text.js';

export function printJoin(join: QueryJoin | QueryJoinArr, language: Spelling, custom: CustomOperatorTable): string {
  const { delim, delimStr } = language;
  const [field, select, on] = Array.isArray(join) ? join : [join?.field, join?.select, join?.on];
  let text = printName(field, 'join', delim);
  if (select) {
    const names = printNames(select, 'join', language, delim);
    text += names && delim + names;
  }
  on?.forEach((condition, index) => {
    const item = escapeItem(printCondition(condition, 'filter', language, custom), delimStr);
    text += (index ? delimStr : delim) + `on[${index}]=${item}`;
  });

  return text;
}
