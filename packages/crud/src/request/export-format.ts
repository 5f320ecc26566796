/** Whether a request asks for a whole list in a format of `query.export`, and which. */
import type { ParsedQuery } from '@nestwright/crud-request';
import type { ExportFormat } from '../definition/query-options.js';
import { crudError } from '../errors/errors.js';
import { MEDIA_TYPES, type MediaName } from '../definition/media-types.js';
import { preferredMedia } from './accepted-media.js';
import type { RequestInput } from './request-route.js';

/** Parameters that name a part of a list. */
const PARTS = ['cursor', 'page', 'offset'] as const;

/**
 * The format that a list is to be answered in, on a route that exports lists; undefined if that is JSON.
 *
 * @throws 400 for a format that there is not, and for parameters that name a part of the list.
 */
export function readExportFormat({ route, http }: RequestInput, parsed: ParsedQuery): ExportFormat | undefined {
  const { formats } = route.definition.options.query.export!;
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
  const { headers } = (http ?? {}) as { readonly headers?: Readonly<Record<string, unknown>> };
  const header = headers?.['accept'];
  if (typeof header !== 'string') return undefined;

  const offered = (Object.keys(MEDIA_TYPES) as MediaName[]).filter((name) => name === 'json' || formats.includes(name));
  const preferred = preferredMedia(header, offered);

  return preferred === 'json' ? undefined : preferred;
}
