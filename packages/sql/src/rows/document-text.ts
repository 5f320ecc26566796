/** PostgreSQL's text of `jsonb` as `JSON.stringify` prints it; `undefined` if JavaScript may print it otherwise. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

// Keys that class-transformer drops or fails on.
const UNSAFE_KEY = /^(?:constructor|__proto__|then)"/;
// Digits that a double certainly preserves.
const MAX_DIGITS = 15;
// Few enough digits that JavaScript prints them as PostgreSQL does.
const NUMBER = /^(?!-0$)-?(?:0|[1-9]\d{0,8})(?:\.\d{0,5}[1-9])?$/;

/** Whether JavaScript prints a number in the digits in which PostgreSQL has printed it. */
export function isPlainNumber(text: string): boolean {
  return NUMBER.test(text);
}

/**
 * The document without the blanks that PostgreSQL puts behind commas and colons. Its strings are printed as
 * JSON.stringify prints them; its keys are in JavaScript's order unless one begins with a digit.
 *
 * @example
 * documentJson('{"size": 1, "theme": "light"}'); // {"size":1,"theme":"light"}
 */
export function documentJson(text: string): string | undefined {
  const { length } = text;
  let json = '';
  let copied = 0;
  let string = 0;

  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at);

    if (code === QUOTE) {
      string = at + 1;
      at = findStringEnd(text, string);
    } else if (code === COLON || code === COMMA) {
      // The string before a colon is a key.
      if (code === COLON && isUnsafeKey(text, string)) return undefined;
      json += text.slice(copied, at + 1);
      copied = at += 2;
    } else if (code === MINUS || isDigit(code)) {
      const from = at;

      at = findNumberEnd(text, from);
      if (at === from) return undefined;
    } else {
      at += 1;
    }
  }

  return json + text.slice(copied);
}

/** Past the closing quotation mark. */
function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }

  return text.length;
}

/** Past a number that JavaScript prints in the same digits; where it begins if that is not sure. */
function findNumberEnd(text: string, from: number): number {
  let at = from + 1;
  let isWhole = text.charCodeAt(from) !== MINUS;

  for (let code = text.charCodeAt(at); isDigit(code) || code === POINT; code = text.charCodeAt(at)) {
    if (code === POINT) isWhole = false;
    at += 1;
  }

  return (isWhole ? at - from <= MAX_DIGITS : isPlainNumber(text.slice(from, at))) ? at : from;
}

/** Whether an object of JavaScript has a key elsewhere than PostgreSQL, or class-transformer does not pass it on. */
function isUnsafeKey(text: string, key: number): boolean {
  const first = text.charCodeAt(key);

  return isDigit(first) || (UNSAFE_FIRST.has(first) && UNSAFE_KEY.test(text.slice(key)));
}

const UNSAFE_FIRST: ReadonlySet<number> = new Set(['c', '_', 't'].map((letter) => letter.charCodeAt(0)));

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
