/** In which formats lists are sent; whether a request asks for a whole one in a format of `query.export`, and which. */
import type { ParsedQuery } from '@nestwright/crud-request';
import type { ExportFormat } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { crudError } from '../errors.js';
import { readHeader } from '../response/request-state.js';

/** Media types of lists; of several that a client prefers equally, the first one wins. */
const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** A media type by its short name. */
type MediaName = keyof typeof MEDIA_TYPES;

/** What a response says its content is. */
export const CONTENT_TYPES: Readonly<Record<MediaName, string>> = {
  json: `${MEDIA_TYPES.json}; charset=utf-8`,
  ndjson: `${MEDIA_TYPES.ndjson}; charset=utf-8`,
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
};

/** Parameters that name a part of a list. */
const PARTS = ['cursor', 'page', 'offset'] as const;

/**
 * The format that a list is to be answered in, on a route that exports lists; undefined if that is JSON.
 *
 * @throws 400 for a format that there is not, and for parameters that name a part of the list.
 */
export function readExportFormat(
  { options }: ResourceDefinition,
  http: unknown,
  parsed: ParsedQuery,
): ExportFormat | undefined {
  const { formats } = options.query.export!;
  const format = parsed.format === undefined ? readAccepted(http, formats) : readNamed(parsed.format, formats);
  const part = format && PARTS.find((name) => parsed[name] !== undefined);
  if (part) {
    throw crudError('CRUD_INVALID_PAGINATION', {
      message: `Invalid ${part}. An export has the whole list`,
      field: part,
    });
  }

  return format;
}

function readNamed(format: string, formats: readonly ExportFormat[]): ExportFormat {
  const known = formats.find((name) => name === format);
  if (known) return known;

  throw crudError('CRUD_INVALID_QUERY', {
    message: `Invalid format. ${formats.join(' or ')} expected`,
    field: 'format',
  });
}

function readAccepted(http: unknown, formats: readonly ExportFormat[]): ExportFormat | undefined {
  const header = readHeader(http ?? {}, 'accept');
  if (header === undefined) return undefined;

  const offered = (Object.keys(MEDIA_TYPES) as MediaName[]).filter((name) => name === 'json' || formats.includes(name));
  const preferred = preferredMedia(header, offered);

  return preferred === 'json' ? undefined : preferred;
}

/** A range of media types in the header. */
interface Range {
  readonly type: string;
  readonly quality: number;
  /** 0 for any type, 1 for any of a kind, 2 for one. */
  readonly precision: number;
  readonly place: number;
}

/** The preferred type: by quality, then by precision, then by position in the header. Default: JSON. */
function preferredMedia(header: string, offered: readonly MediaName[]): MediaName {
  const ranges = header.split(',').map(parseRange);
  const wanted = offered.flatMap((name) => {
    const range = findRange(MEDIA_TYPES[name], ranges);

    return range && range.quality > 0 ? [{ name, range }] : [];
  });
  // Sorting is stable.
  const [best] = wanted.sort(({ range: one }, { range: other }) => {
    return other.quality - one.quality || other.precision - one.precision || one.place - other.place;
  });

  return best?.name ?? 'json';
}

/** The most precise range that covers a type. */
function findRange(type: string, ranges: readonly Range[]): Range | undefined {
  const [kind] = type.split('/');
  const names = ['*/*', `${kind}/*`, type];

  return ranges
    .filter((range) => names[range.precision] === range.type)
    .sort((one, other) => other.precision - one.precision || other.quality - one.quality)[0];
}

function parseRange(text: string, place: number): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;

  return { type, quality, precision: type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2, place };
}
