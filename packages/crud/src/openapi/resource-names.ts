/** A definition in, what its records are called in short operation ids and in the names of schemas out; nothing is refused. */
import type { ResourceDefinition } from '../definition/resource-definition.js';

type Named = Pick<ResourceDefinition, 'modelName' | 'openapi'>;

/** Names of the schemas that are no classes of the application; `one` is what one record is called. */
interface SchemaNames {
  readonly record: (one: string) => string;
  /** A list without serialization. */
  readonly rawRecord: (one: string) => string;
  readonly page: (one: string) => string;
  readonly body: (verb: 'Create' | 'Update' | 'Replace' | '', one: string) => string;
  readonly bulk: (one: string, many: string) => string;
}

const NAMES = {
  long: {
    record: (one) => `${one}ResponseDto`,
    rawRecord: (one) => `${one}RawResponseDto`,
    page: (one) => `GetMany${one}ResponseDto`,
    body: (verb, one) => `${verb}${one}BodyDto`,
    bulk: (one) => `CreateMany${one}Dto`,
  },
  short: {
    record: (one) => `${one}Response`,
    rawRecord: (one) => `${one}RawResponse`,
    page: (one) => `${one}Page`,
    body: (verb, one) => `${verb}${one}`,
    bulk: (_one, many) => `CreateMany${many}`,
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
