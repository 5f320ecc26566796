/** What records hold, column by column. */

/** The values at a path of records: `name.first`. */
export function valuesAt(records: readonly object[], path: string): unknown[] {
  return records.map((record) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], record),
  );
}

/** Whether a column holds a text that matches. */
export const matches = (pattern: RegExp) => (values: readonly unknown[]) =>
  values.some((value) => typeof value === 'string' && pattern.test(value));

/** Whether two values that differ become the same. */
export const collide = (fold: (text: string) => string) => (values: readonly unknown[]) => {
  const texts = [...new Set(values.filter((value) => typeof value === 'string'))];

  return new Set(texts.map(fold)).size < texts.length;
};

/** Whether a column holds the value. */
export const has = (wanted: unknown) => (values: readonly unknown[]) =>
  values.some((value) => JSON.stringify(value) === JSON.stringify(wanted));

/** Whether some value is there more than once: a key that does not sort. */
export const repeats = (values: readonly unknown[]) =>
  new Set(values.map((value) => JSON.stringify(value))).size < values.length;

/** Whether an unescaped `_` or `%` in one text would match another text, too. */
export const patternsMatchOthers = (values: readonly unknown[]) => {
  const texts = values.filter((value) => typeof value === 'string');

  return texts.some((text) => {
    const pattern = new RegExp(
      `^${text
        .replace(/[^\w%]/g, '.')
        .replaceAll('_', '.')
        .replaceAll('%', '.*')}$`,
      's',
    );

    return /[_%]/.test(text) && texts.some((other) => other !== text && pattern.test(other));
  });
};

export const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
export const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
export const CYRILLIC = /\p{Script=Cyrillic}/u;
export const EMOJI = /\p{Extended_Pictographic}/u;
