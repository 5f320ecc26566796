import type { ResourceDefinition } from '../definition/resource-definition.js';

type Named = Pick<ResourceDefinition, 'modelName' | 'openapi'>;

/** What a route does to many records. */
export type BulkVerb = 'Create' | 'Update' | 'Replace' | 'Delete' | 'Recover';

/** Names of the schemas that are no classes of the application; `one` is what one record is called. */
interface SchemaNames {
  readonly record: (one: string) => string;
  /** A list without serialization. */
  readonly rawRecord: (one: string) => string;
  readonly page: (one: string) => string;
  readonly cursorPage: (one: string) => string;
  readonly body: (verb: 'Create' | 'Update' | 'Replace' | '', one: string) => string;
  /** A record of a bulk, with its key. */
  readonly item: (verb: BulkVerb, one: string) => string;
  readonly bulk: (verb: BulkVerb, one: string, many: string) => string;
  /** What is set on all records that a condition matches. */
  readonly set: (one: string) => string;
}

const NAMES = {
  long: {
    record: (one) => `${one}ResponseDto`,
    rawRecord: (one) => `${one}RawResponseDto`,
    page: (one) => `GetMany${one}ResponseDto`,
    cursorPage: (one) => `GetMany${one}CursorResponseDto`,
    body: (verb, one) => `${verb}${one}BodyDto`,
    item: (verb, one) => `${verb}Many${one}ItemDto`,
    bulk: (verb, one) => `${verb}Many${one}Dto`,
    set: (one) => `UpdateMany${one}SetDto`,
  },
  short: {
    record: (one) => `${one}Response`,
    rawRecord: (one) => `${one}RawResponse`,
    page: (one) => `${one}Page`,
    cursorPage: (one) => `${one}CursorPage`,
    body: (verb, one) => `${verb}${one}`,
    item: (verb, one) => `${verb}Many${one}Item`,
    bulk: (verb, _one, many) => `${verb}Many${many}`,
    set: (one) => `UpdateMany${one}Set`,
  },
} as const satisfies Record<'long' | 'short', SchemaNames>;

/** How the schemas of a resource are named. */
export function schemaNamesOf({ openapi }: Named): SchemaNames {
  return NAMES[openapi?.schemas ?? 'long'];
}

/** What one record is called in the names of schemas. */
export function schemaSubjectOf(definition: Named): string {
  return definition.openapi?.schemas === 'short' ? singularOf(definition) : definition.modelName;
}

/** `User`. */
export function singularOf({ modelName, openapi }: Named): string {
  return openapi?.singular ?? modelName;
}

/** `Users`. */
export function pluralOf(definition: Named): string {
  return definition.openapi?.plural ?? englishPlural(singularOf(definition));
}

/** The regular plural of English; what is irregular, the options say. */
function englishPlural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;

  return /(s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}
