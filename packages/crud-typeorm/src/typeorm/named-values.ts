import { type Sql, VALUE } from '@nestwright/sql';

/**
 * A piece with parameters by name, for TypeORM's builders.
 *
 * @param prefix The names' beginning; of several pieces in one builder, each has its own.
 */
export function nameValues(
  { text, values }: Sql,
  prefix: string,
): { sql: string; parameters: Record<string, unknown> } {
  const [first = '', ...parts] = text.split(VALUE);

  // TypeORM spreads arrays over several placeholders only after `:...`; here an array is one value.
  return {
    sql: first + parts.map((part, index) => `:${prefix}${index}${part}`).join(''),
    parameters: Object.fromEntries(values.map((value, index) => [`${prefix}${index}`, value])),
  };
}
