/**
 * The text of a floating-point number, in SQL, as JSON prints it: the fewest digits that mean the number, an exponent
 * from 1e21 on and below 1e-6.
 */

/**
 * From PostgreSQL 12 on, the text of a number has nearly the fewest digits: one or two less are tried out, and the text
 * is made of what is left. Numbers that are beyond a double keep their digits.
 */
export function postgresNumberText(value: string): string {
  const plain = (text: string) => `CASE WHEN ${text} LIKE '%.%' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
  // Rounded up, the largest doubles would be none any more.
  const fewest = [15, 16].map(
    (digits) =>
      `WHEN size < 1e308 AND round(size::text::numeric, ${digits - 1} - places)::float8 = size THEN ` +
      `round(size::text::numeric, ${digits - 1} - places)`,
  );
  const numbers =
    'SELECT number, size, CASE WHEN size = 0 OR size > 1e308 THEN 0 ELSE floor(log(size))::int END AS places ' +
    `FROM (SELECT number, abs(number) AS size FROM (SELECT ${value} AS number) AS given) AS sized`;
  const rounded =
    `SELECT number, size, (CASE ${fewest.join(' ')} ELSE size::text::numeric END)::text AS text FROM ` +
    `(${numbers}) AS placed`;
  const parts =
    `SELECT number, size, text, rtrim(ltrim(replace(text, '.', ''), '0'), '0') AS digits, ` +
    `CASE WHEN size >= 1 THEN length(split_part(text, '.', 1)) - 1 ` +
    "ELSE length(ltrim(split_part(text, '.', 2), '0')) - length(split_part(text, '.', 2)) - 1 END AS " +
    `exponent FROM (${rounded}) AS rounded`;

  return (
    "(SELECT CASE WHEN number < 0 THEN '-' ELSE '' END || CASE WHEN size < 1e21 AND (size >= 1e-6 OR size = " +
    `0) THEN ${plain('text')} ` +
    `ELSE left(digits, 1) || CASE WHEN length(digits) > 1 THEN '.' ELSE '' END || substr(digits, 2) || ` +
    `'e' || CASE WHEN exponent > 0 THEN '+' ELSE '' END || exponent END FROM (${parts}) AS parts)`
  );
}

/**
 * MySQL's text has the fewest digits; exponents come from 1e15 on, without a plus, and for small numbers only if the
 * digits would take too much room.
 */
export function mysqlNumberText(value: string): string {
  const size = `ABS(${value})`;
  const text = `CAST(${size} AS CHAR)`;
  const exponent = `CAST(SUBSTRING_INDEX(${text}, 'e', -1) AS SIGNED)`;
  const digits = `REPLACE(SUBSTRING_INDEX(${text}, 'e', 1), '.', '')`;
  const large =
    `CASE WHEN CHAR_LENGTH(${digits}) > ${exponent} + 1 ` +
    `THEN CONCAT(LEFT(${digits}, ${exponent} + 1), '.', SUBSTRING(${digits}, ${exponent} + 2)) ` +
    `ELSE RPAD(${digits}, ${exponent} + 1, '0') END`;
  const fraction = `SUBSTRING(${text}, 3)`;
  const rest = `TRIM(LEADING '0' FROM ${fraction})`;
  const small =
    `CONCAT(LEFT(${rest}, 1), CASE WHEN CHAR_LENGTH(${rest}) > 1 THEN '.' ELSE '' END, SUBSTRING(${rest}, 2), ` +
    `'e-', CHAR_LENGTH(${fraction}) - CHAR_LENGTH(${rest}) + 1)`;

  return (
    `CONCAT(CASE WHEN ${value} < 0 THEN '-' ELSE '' END, CASE ` +
    `WHEN ${text} LIKE '%e-%' THEN ${text} ` +
    `WHEN ${size} >= 1e21 THEN REPLACE(${text}, 'e', 'e+') ` +
    `WHEN ${text} LIKE '%e%' THEN ${large} ` +
    `WHEN ${size} > 0 AND ${size} < 1e-6 THEN ${small} ` +
    `ELSE ${text} END)`
  );
}

/** SQLite's own text has 15 digits or 17, by version: the fewest are tried out, and the text is made of them. */
export function sqliteNumberText(value: string): string {
  const printed = (digits: number) => `printf('%!.${digits - 1}e', size)`;
  const fewest =
    `CASE size WHEN CAST(${printed(15)} AS REAL) THEN ${printed(15)} ` +
    `WHEN CAST(${printed(16)} AS REAL) THEN ${printed(16)} ELSE ${printed(17)} END`;
  const mark = `instr(text, 'e')`;
  const parts =
    `SELECT number, rtrim(replace(substr(text, 1, ${mark} - 1), '.', ''), '0') AS digits, ` +
    `CAST(substr(text, ${mark} + 1) AS INTEGER) AS exponent ` +
    `FROM (SELECT number, ${fewest} AS text FROM (SELECT number, abs(number) AS size FROM (SELECT ${value} ` +
    'AS number) WHERE number IS NOT NULL))';

  return (
    `(SELECT CASE WHEN number = 0 THEN '0' ELSE CASE WHEN number < 0 THEN '-' ELSE '' END || CASE ` +
    `WHEN exponent >= 21 OR exponent < -6 THEN substr(digits, 1, 1) || ` +
    `CASE WHEN length(digits) > 1 THEN '.' ELSE '' END || substr(digits, 2) || ` +
    `'e' || CASE WHEN exponent > 0 THEN '+' ELSE '' END || exponent ` +
    `WHEN exponent < 0 THEN '0.' || substr('00000', 1, -exponent - 1) || digits ` +
    "WHEN length(digits) <= exponent + 1 THEN digits || substr('00000000000000000000', 1, exponent + 1 - " +
    'length(digits)) ' +
    `ELSE substr(digits, 1, exponent + 1) || '.' || substr(digits, exponent + 2) END END FROM (${parts}))`
  );
}
