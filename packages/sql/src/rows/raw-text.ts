/**
 * Turns PostgreSQL's text of a value into JSON without parsing it. An unexpected format gives `undefined` and goes
 * through the driver's parser.
 */
import { documentJson, isPlainNumber } from './document-text.js';
import { listJson } from './list-text.js';
import type { DirectText, RawJson } from '../database/rows.js';
import { unquotedList, parseMoment } from './text-value.js';

const DAY = /^[1-9]\d{3}-\d\d-\d\d$/;
const MOMENT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/;
const MOMENT_IN_UTC = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
// Keys that class-transformer drops or fails on, and escapes that may hide such keys.
const UNSAFE_KEYS = /constructor|__proto__|then|\\/;
/** Length of a moment to the second, and of one with milliseconds. */
const SECOND = 19;
const MILLISECOND = 23;

/** ISO text of a moment in UTC; the time ends at the given index. */
function isoJson(text: string, length: number): string {
  const time = text.slice(SECOND - 8, Math.min(length, MILLISECOND));

  return `"${text.slice(0, 10)}T${length >= MILLISECOND ? time : fullTime(time)}Z"`;
}

/** A time with its milliseconds: PostgreSQL leaves zeros at the end away. */
function fullTime(time: string): string {
  return (time.length === 8 ? `${time}.` : time).padEnd(12, '0');
}

let zone: { readonly name: string | undefined; readonly isUtc: boolean } | undefined;

/** Whether moments without a zone, which are read as the process's own time, are UTC. */
function isUtc(): boolean {
  const name = process.env['TZ'];

  if (!zone || zone.name !== name)
    zone = { name, isUtc: ['UTC', 'Etc/UTC'].includes(Intl.DateTimeFormat().resolvedOptions().timeZone) };

  return zone.isUtc;
}

/** `json` keeps the text as it was written, blanks, repeated keys and all. */
function writtenJson(text: string): string | undefined {
  return UNSAFE_KEYS.test(text) ? undefined : JSON.stringify(JSON.parse(text));
}

/** A type of PostgreSQL whose values can be read from their text. */
interface RawType extends DirectText {
  /** Whether the text can be used right now; checked once per statement. Default: always. */
  readonly readable?: () => boolean;
}

const MOMENTS: ReadonlySet<string> = new Set(['timestamp with time zone', 'timestamp without time zone']);
const DOCUMENTS: ReadonlySet<string> = new Set(['json', 'jsonb']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'character varying']);
const INTEGERS: ReadonlySet<string> = new Set(['integer', 'smallint']);
// A column of which only the property says that it stores numbers is an integer.
const FLOATS: ReadonlySet<string> = new Set(['integer', 'real', 'double precision']);

const INTEGER: RawType = { json: (text) => text, value: Number, columnTypes: INTEGERS };
const FLOAT: RawType = {
  json: (text) => (isPlainNumber(text) ? text : undefined),
  value: Number,
  columnTypes: FLOATS,
};
const TEXT_LIST: RawType = { json: listJson, value: parseList, columnTypes: TEXTS, isArray: true };

function documentType(json: RawJson): RawType {
  return { json, value: (text) => JSON.parse(text) as unknown, columnTypes: DOCUMENTS };
}

/** Numbers that are kept as text. */
function digitsType(type: string): RawType {
  return { json: (text) => `"${text}"`, value: (text) => text, columnTypes: new Set([type]) };
}

function parseList(text: string): unknown {
  const bare = unquotedList(text);
  if (bare) return bare;

  const json = listJson(text);

  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}

/** By the number of the type. */
export const RAW_TYPES: ReadonlyMap<number, RawType> = new Map<number, RawType>([
  [
    1184,
    {
      json: (text) => (MOMENT_IN_UTC.test(text) ? isoJson(text, text.length - 3) : undefined),
      value: (text) => (MOMENT_IN_UTC.test(text) ? parseMoment(text, text.length - 3) : undefined),
      columnTypes: MOMENTS,
    },
  ],
  [
    1114,
    {
      json: (text) => (MOMENT.test(text) ? isoJson(text, text.length) : undefined),
      value: (text) => (MOMENT.test(text) ? parseMoment(text, text.length) : undefined),
      readable: isUtc,
      columnTypes: MOMENTS,
    },
  ],
  [
    1082,
    {
      json: (text) => (DAY.test(text) ? `"${text}"` : undefined),
      value: (text) => (DAY.test(text) ? text : undefined),
      columnTypes: new Set(['date']),
    },
  ],
  [
    16,
    {
      json: (text) => (text === 't' ? 'true' : 'false'),
      value: (text) => text === 't',
      columnTypes: new Set(['boolean']),
    },
  ],
  [21, INTEGER],
  [23, INTEGER],
  [700, FLOAT],
  [701, FLOAT],
  [20, digitsType('bigint')],
  [1700, digitsType('numeric')],
  [114, documentType(writtenJson)],
  [3802, documentType(documentJson)],
  [1009, TEXT_LIST],
  [1015, TEXT_LIST],
]);
