/** Reads dates and times, checked against the calendar. */

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
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
  const match = typeof value === 'string' ? DAY.exec(value) : null;
  if (match) return isDay(Number(match[1]), Number(match[2]), Number(match[3])) ? match[0] : undefined;

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
  if (zone === 'Z' || zone === 'z') return 0;

  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;

  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
