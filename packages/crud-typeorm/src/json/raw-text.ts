/**
 * PostgreSQL's text of a value in, its JSON out, where the text alone tells it, so that nothing is read only to be printed again.
 * What has another form than expected is answered by `undefined` and goes through the driver's own parser.
 */
import { textJson } from './text.js';

/** JSON of a value's text; undefined where the driver's parser must read it. */
export type RawJson = (text: string) => string | undefined;

const DAY = /^[1-9]\d{3}-\d\d-\d\d$/;
const MOMENT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(\+00)?$/;
// Keys that class-transformer leaves out or stumbles over, and escapes behind which such keys may hide.
const DELICATE = /constructor|__proto__|then|\\/;
const LIST = /^\{(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^",{}\\]+)(?:,(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^",{}\\]+))*\}$/s;
const ITEMS = /"([^"\\]*(?:\\.[^"\\]*)*)"|[^",{}\\]+/gs;
// So few digits that JavaScript prints those that PostgreSQL has printed.
const NUMBER = /^(?!-0$)-?(?:0|[1-9]\d{0,8})(?:\.\d{0,5}[1-9])?$/;

/** ISO text of a moment in UTC; `zoned` where the text must say so. */
function momentJson(text: string, zoned: boolean): string | undefined {
  const match = MOMENT.exec(text);
  if (!match || (match[1] !== undefined) !== zoned) return undefined;

  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, zoned ? -3 : undefined) : '';
  const milliseconds = fraction.length >= 3 ? fraction.slice(0, 3) : fraction.padEnd(3, '0');

  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z"`;
}

let zone: { readonly name: string | undefined; readonly isUtc: boolean } | undefined;

/** Whether moments without a zone, which are read as the process's own time, are UTC. */
function isUtc(): boolean {
  const name = process.env['TZ'];

  if (!zone || zone.name !== name) {
    zone = { name, isUtc: ['UTC', 'Etc/UTC'].includes(Intl.DateTimeFormat().resolvedOptions().timeZone) };
  }

  return zone.isUtc;
}

function documentJson(text: string): string | undefined {
  return DELICATE.test(text) ? undefined : JSON.stringify(JSON.parse(text));
}

function listJson(text: string): string | undefined {
  if (text === '{}') return '[]';
  if (!LIST.test(text)) return undefined;

  let list = '';

  for (const [item, quoted] of text.matchAll(ITEMS)) {
    if (quoted === undefined && /^null$/i.test(item)) return undefined;

    const value = quoted === undefined ? item : quoted.includes('\\') ? quoted.replace(/\\(.)/gs, '$1') : quoted;
    list += (list && ',') + textJson(value);
  }

  return `[${list}]`;
}

/** What PostgreSQL's types can be read from, by their number: the text, and a value by which its default parser is known. */
interface RawType {
  readonly json: RawJson;
  /** Whether the text tells all at this time; asked once per statement. Default: it does. */
  readonly readable?: () => boolean;
  /** TypeORM's types of columns that hold such values unchanged. */
  readonly columnTypes: ReadonlySet<unknown>;
  readonly isArray: boolean;
  readonly sample: string;
  readonly expected: unknown;
}

const MOMENTS: ReadonlySet<unknown> = new Set([
  Date,
  'timestamp',
  'timestamptz',
  'timestamp with time zone',
  'timestamp without time zone',
]);
const DOCUMENTS: ReadonlySet<unknown> = new Set(['json', 'jsonb']);
const TEXTS: ReadonlySet<unknown> = new Set([String, 'text', 'varchar', 'character varying']);
const INTEGERS: ReadonlySet<unknown> = new Set([Number, 'int', 'integer', 'int2', 'int4', 'smallint']);
const FLOATS: ReadonlySet<unknown> = new Set([
  Number,
  'float',
  'float4',
  'float8',
  'real',
  'double',
  'double precision',
]);
const DECIMALS: ReadonlySet<unknown> = new Set(['decimal', 'numeric']);
const SAMPLE_MOMENT = '2001-02-03 04:05:06.789';

export const RAW_TYPES: ReadonlyMap<number, RawType> = new Map<number, RawType>([
  [
    1184,
    {
      json: (text) => momentJson(text, true),
      columnTypes: MOMENTS,
      isArray: false,
      sample: `${SAMPLE_MOMENT}+00`,
      expected: new Date(Date.UTC(2001, 1, 3, 4, 5, 6, 789)),
    },
  ],
  [
    1114,
    {
      json: (text) => momentJson(text, false),
      readable: isUtc,
      columnTypes: MOMENTS,
      isArray: false,
      sample: SAMPLE_MOMENT,
      expected: new Date(2001, 1, 3, 4, 5, 6, 789),
    },
  ],
  [
    1082,
    {
      json: (text) => (DAY.test(text) ? `"${text}"` : undefined),
      columnTypes: new Set(['date']),
      isArray: false,
      sample: '2001-02-03',
      expected: new Date(2001, 1, 3),
    },
  ],
  [21, integerType()],
  [23, integerType()],
  [700, floatType()],
  [701, floatType()],
  [
    1700,
    {
      json: (text) => `"${text}"`,
      columnTypes: DECIMALS,
      isArray: false,
      sample: '1.50',
      expected: '1.50',
    },
  ],
  [
    16,
    {
      json: (text) => (text === 't' ? 'true' : 'false'),
      columnTypes: new Set([Boolean, 'bool', 'boolean']),
      isArray: false,
      sample: 't',
      expected: true,
    },
  ],
  [114, documentType()],
  [3802, documentType()],
  [1009, listType()],
  [1015, listType()],
]);

function integerType(): RawType {
  return { json: (text) => text, columnTypes: INTEGERS, isArray: false, sample: '-7', expected: -7 };
}

function floatType(): RawType {
  return {
    json: (text) => (NUMBER.test(text) ? text : undefined),
    columnTypes: FLOATS,
    isArray: false,
    sample: '-1.5',
    expected: -1.5,
  };
}

function documentType(): RawType {
  return { json: documentJson, columnTypes: DOCUMENTS, isArray: false, sample: '{"a":[1]}', expected: { a: [1] } };
}

function listType(): RawType {
  return { json: listJson, columnTypes: TEXTS, isArray: true, sample: '{a,NULL}', expected: ['a', null] };
}
