/** Reads numbers as plain decimal text, and dates and times as ISO 8601 has them. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** The character 0. */
const ZERO = 0x30;
const FIVE = 0x35;

/**
 * A decimal number taken apart: `-12.50` is `{negative: true, whole: '12', fraction: '50'}`; no leading zeros in
 * `whole` but a single one.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** Reads a decimal number as JSON writes it, leading zeros allowed, and resolves its exponent. */
export function readDecimal(raw: string | number | bigint): Decimal | undefined {
  const match = DECIMAL.exec(String(raw));
  if (!match) return undefined;

  const [, sign, integer = '', fraction = '', power = '0'] = match;
  // Most numbers are written as they are printed.
  if (power === '0' && sign === '' && (integer.length === 1 || integer.charCodeAt(0) !== ZERO))
    return { negative: false, whole: integer, fraction };

  const exponent = Number(power);
  const point = integer.length + exponent;
  const digits = integer + fraction;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const rest = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;

  return { negative: sign === '-' && /[1-9]/.test(digits), whole: whole.replace(/^0+(\d)/, '$1'), fraction: rest };
}

/** Rounds a decimal to some digits after the point, half away from zero, as databases do. */
export function roundDecimal(value: Decimal, scale: number): Decimal {
  const { negative, whole, fraction } = value;
  if (fraction.length <= scale) return value;

  const isUp = fraction.charCodeAt(scale) >= FIVE;
  const digits = String(BigInt(whole + fraction.slice(0, scale)) + (isUp ? 1n : 0n)).padStart(scale + 1, '0');
  const point = digits.length - scale;

  return {
    negative: negative && /[1-9]/.test(digits),
    whole: digits.slice(0, point),
    fraction: digits.slice(point),
  };
}

/** Prints a decimal in plain notation, digits as they came. */
export function printDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Reads dates and times, checked against the calendar. */

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE = 60_000;

/**
 * Reads a moment of the years 1 to 9999. A date without time is midnight UTC, a time without offset is UTC; digits
 * beyond milliseconds are dropped.
 *
 * @example
 * readMoment('2024-02-30'); // undefined
 */
export function readMoment(text: string): Date | undefined {
  const match = MOMENT.exec(text);
  if (!match) return undefined;

  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  if (!isDay(Number(year), Number(month), Number(day)) || !isTime(Number(hour), Number(minute), Number(second)))
    return undefined;

  const offset = readOffset(zone);
  if (offset === undefined) return undefined;

  const moment = new Date(0);
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  moment.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));

  return inCalendar(new Date(moment.getTime() - offset * MINUTE));
}

/** Reads a day: `YYYY-MM-DD`, or the UTC day of a moment. */
export function readDay(value: string | Date): string | undefined {
  const moment = typeof value === 'string' ? readMoment(value) : inCalendar(value);

  return moment?.toISOString().slice(0, 10);
}

/**
 * Reads a time of day, `HH:MM` at the least, and completes it to `HH:MM:SS` with the fraction that was given.
 *
 * @param zoned Whether an offset may follow. Default: `false`.
 */
export function readTime(text: string, zoned = false): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;

  const [, hour, minute, second = '00', fraction, zone] = match;
  if (!isTime(Number(hour), Number(minute), Number(second))) return undefined;
  if (zone !== undefined && (!zoned || readOffset(zone) === undefined)) return undefined;

  return `${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}${zone ?? ''}`;
}

/** The moment itself, or undefined if it is invalid or outside of the years that every database knows. */
export function inCalendar(moment: Date): Date | undefined {
  const year = moment.getUTCFullYear();

  return year >= 1 && year <= 9999 ? moment : undefined;
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

  return year >= 1 && day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

function isTime(hour: number, minute: number, second: number): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

function readOffset(zone: string): number | undefined {
  // "Z" has neither digits of hours nor of minutes: both are 0.
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;

  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
