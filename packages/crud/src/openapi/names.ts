/** What operations and schemas are called. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteName } from '../routes/route-table.js';

type Named = Pick<ResourceDefinition, 'modelName' | 'openapi'>;

/** Names of the schemas that are no classes of the application: long ones, which say the kind, and short ones. */
const SCHEMA_NAMES = {
  record: ['{one}ResponseDto', '{one}Response'],
  /** Of a list without serialization. */
  rawRecord: ['{one}RawResponseDto', '{one}RawResponse'],
  page: ['GetMany{one}ResponseDto', '{one}Page'],
  cursorPage: ['GetMany{one}CursorResponseDto', '{one}CursorPage'],
  body: ['{verb}{one}BodyDto', '{verb}{one}'],
  /** A record of a bulk, with its key. */
  item: ['{verb}Many{one}ItemDto', '{verb}Many{one}Item'],
  bulk: ['{verb}Many{one}Dto', '{verb}Many{many}'],
  /** What is set on all records that a condition matches. */
  set: ['UpdateMany{one}SetDto', 'UpdateMany{one}Set'],
} as const satisfies Record<string, readonly [long: string, short: string]>;

/**
 * The name of a schema of a resource.
 *
 * @param verb What is done to the records.
 * @param prefix Before the name of the records.
 * @param one Name of one record. Default: that of the resource.
 */
export function schemaName(
  definition: Named,
  kind: keyof typeof SCHEMA_NAMES,
  { verb = '', prefix = '', one }: { verb?: string; prefix?: string; one?: string } = {},
): string {
  const isShort = definition.openapi?.schemas === 'short';
  const subject = one ?? (isShort ? singularName(definition) : definition.modelName);
  const many = prefix + pluralName(definition);
  const words: Readonly<Record<string, string>> = { verb, one: prefix + subject, many };

  return SCHEMA_NAMES[kind][isShort ? 1 : 0].replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '');
}

/** A name, and another with the controller's, for resources over one model that show it differently. */
export function withController(
  { controller }: Pick<ResourceDefinition, 'controller'>,
  makeName: (prefix: string) => string,
): readonly [string, string] {
  return [makeName(''), makeName(controller.replace(/Controller$/, ''))];
}

/** `Create` of `createManyBase`. */
export function routeVerb(route: BaseRouteName): string {
  return route.charAt(0).toUpperCase() + route.slice(1).replace(/(One|Many)?Base$/, '');
}

/** `User`. */
export function singularName({ modelName, openapi }: Named): string {
  return openapi?.singular ?? modelName;
}

/** `Users`: the regular plural of English; what is irregular, the options say. */
export function pluralName(definition: Named): string {
  const word = singularName(definition);
  const { plural } = definition.openapi ?? {};
  if (plural !== undefined) return plural;
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;

  return /(s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}

/** `UserResponseDto` and `company` make `UserResponseCompanyDto`, `UserResponse` makes `UserResponseCompany`. */
export function relatedName(name: string, property: string): string {
  return insertEnding(name, `${property.charAt(0).toUpperCase()}${property.slice(1)}`);
}

/** A name with an ending before its `Dto`. */
export function insertEnding(name: string, ending: string): string {
  const [, stem = name, dto = ''] = /^(.*?)(Dto)?$/.exec(name) ?? [];

  return `${stem}${ending}${dto}`;
}

/** The first of some names that is free, else the first free one of the names numbered from 2. */
export function firstFree(
  names: readonly string[],
  isFree: (name: string) => boolean,
  numbered: (number: number) => string,
): string {
  const free = names.find(isFree);
  for (let number = 2; free === undefined; number++) if (isFree(numbered(number))) return numbered(number);

  return free;
}

/** Before the name of a generated schema until its document is finished: the application may have the name. */
const MARK = '~';
/** What follows the mark of a generated class that stands for the application's class of the same name. */
const STANDS_IN = '=';

/** The name of a generated schema until its document is finished. */
export function markName(name: string): string {
  return isMarked(name) ? name : MARK + name;
}

export function isMarked(name: string): boolean {
  return name.startsWith(MARK);
}

/** The name of a class that stands for one of the application's until its document is finished. */
export function standInName(name: string): string {
  return markName(STANDS_IN + name);
}

export function isPlaceholderName(name: string): boolean {
  return name.startsWith(MARK + STANDS_IN);
}

/** What a name is, marked or not. */
export function plainName(name: string): string {
  return isMarked(name) ? name.slice(MARK.length + Number(isPlaceholderName(name))) : name;
}
