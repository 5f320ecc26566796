/**
 * PostgreSQL's text of a value in, its JSON out, where the text alone tells it: moments, days, documents and lists of texts, which are dear to read and to print again.
 * What has another form than expected is answered by `undefined` and goes through the driver's own parser.
 */
import { textJson } from './text.js';

/** JSON of a value's text; undefined where the driver's parser must read it. */
export type RawJson = (text: string) => string | undefined;

const DAY = /^[1-9]\d{3}-\d\d-\d\d$/;
const MOMENT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(\+00)?$/;
// Keys that class-transformer leaves out or stumbles over, and escapes behind which such keys may hide.
const DELICATE = /constructor|__proto__|then|\\/;
const PLAIN_LIST = /^\{[^"\\{}]*\}$/;

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
  if (!PLAIN_LIST.test(text)) return undefined;

  const items = text.slice(1, -1).split(',');

  return items.some((item) => /^null$/i.test(item)) ? undefined : `[${items.map(textJson).join(',')}]`;
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
  [114, documentType()],
  [3802, documentType()],
  [1009, listType()],
  [1015, listType()],
]);

function documentType(): RawType {
  return { json: documentJson, columnTypes: DOCUMENTS, isArray: false, sample: '{"a":[1]}', expected: { a: [1] } };
}

function listType(): RawType {
  return { json: listJson, columnTypes: TEXTS, isArray: true, sample: '{a,NULL}', expected: ['a', null] };
}
