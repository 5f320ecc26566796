/** Media types of lists; of several that a client prefers equally, the first one wins. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** A media type by its short name. */
export type MediaName = keyof typeof MEDIA_TYPES;
