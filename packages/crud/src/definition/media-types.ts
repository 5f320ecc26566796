/** Media types of lists; of several that a client prefers equally, the first one wins. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** A media type by its short name. */
export type MediaName = keyof typeof MEDIA_TYPES;

/** What a response says its content is. */
export const CONTENT_TYPES: Readonly<Record<MediaName, string>> = {
  json: `${MEDIA_TYPES.json}; charset=utf-8`,
  ndjson: `${MEDIA_TYPES.ndjson}; charset=utf-8`,
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
};
