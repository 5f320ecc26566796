/** Media types of lists; where a client likes several alike, the first counts. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** A media type by its short name. */
export type MediaName = keyof typeof MEDIA_TYPES;
