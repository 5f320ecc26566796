/**
 * What operations and schemas are called. Ids of the library become unique in a document; those that the application
 * gave stay; a short id that another operation has is refused.
 */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
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

  return SCHEMA_NAMES[kind][isShort ? 1 : 0].replace(/\{(\w+)\}/g, (_, word: string) => words[word]!);
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
  return name.replace(/(Dto)?$/, (dto) => ending + dto);
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

/** `getManyBaseUsersControllerUser`, or `getManyUsers`: the same on whatever path the handler is. */
export function makeOperationId(definition: ResourceDefinition, route: BaseRouteName, style: 'short' | 'long'): string {
  if (style === 'long') return `${route}${definition.controller}${definition.modelName}`;

  return route.replace(/Base$/, '') + (route.endsWith('OneBase') ? singularName(definition) : pluralName(definition));
}

/** Who chose an id: nobody (it may change), the options (it may not), or the application for its handler. */
export type IdChoice = 'free' | 'short' | 'own';

/** An operation with its id. */
export interface IdentifiedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: { operationId?: string };
  /** Tells the same handler on another path. Default: one of the application's own. */
  readonly handler?: object | undefined;
  /** Name of the controller, for messages. */
  readonly controller?: string | undefined;
  readonly choice: IdChoice;
}

/** Appends to each library id that occurs under several paths the part of its path that differs. */
export function makeIdsUnique(operations: readonly IdentifiedOperation[]): void {
  const byId = new Map<string, IdentifiedOperation[]>();
  for (const entry of operations) {
    const id = entry.operation.operationId;
    if (typeof id === 'string') getOrInsert(byId, id, () => []).push(entry);
  }
  refuseSharedShortIds(byId);
  const taken = new Set(byId.keys());

  for (const [id, uses] of byId) {
    const suffixes = findDifferences(uses.map(({ path }) => path.split('/').filter(Boolean)));
    const isOurs = ({ choice }: IdentifiedOperation) => choice !== 'own';
    if (uses.every(isOurs)) taken.delete(id);

    uses.forEach((use, index) => {
      if (!isOurs(use)) return;
      const wanted = [id, ...suffixes[index]!].join('_');
      const free = firstFree(
        [wanted],
        (name) => !taken.has(name),
        (number) => `${wanted}_${number}`,
      );
      taken.add(free);
      use.operation.operationId = free;
    });
  }
}

/** Clients refer to short ids by name: a number added to one of them would change with the order of modules. */
function refuseSharedShortIds(byId: ReadonlyMap<string, readonly IdentifiedOperation[]>): void {
  const mistakes = [...byId].flatMap(([id, uses]) => {
    const short = uses.find(({ choice }) => choice === 'short');

    return short && uses.some(({ handler }) => handler !== short.handler) ? [describeClash(id, uses)] : [];
  });
  if (mistakes.length === 0) return;

  const remedy =
    'Name one of the resources differently by @Crud({ openapi: { singular, plural } }), or take long ids ' +
    "there by openapi.operationIds: 'long'";

  throw new Error([...mistakes, remedy].join(mistakes.length === 1 ? ' ' : '\n'));
}

function describeClash(id: string, uses: readonly IdentifiedOperation[]): string {
  const places = uses.map(
    ({ path, method, controller }) =>
      `${method.toUpperCase()} ${path}${controller === undefined ? '' : ` (${controller})`}`,
  );

  return `The operation id ${id} is shared by ${places.join(' and ')}.`;
}

/** Each list without the items that all lists have at their beginning and end. */
function findDifferences(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const reversed = lists.map((list) => [...list].reverse());
  const heads = reversed.map((list) => list.slice(countShared(reversed)).reverse());

  return heads.map((list) =>
    list.slice(countShared(heads)).map((name) => name.replace(/\W+/g, '_').replace(/^_|_$/g, '')),
  );
}

/** How many items all lists have at their beginning. */
function countShared(lists: readonly (readonly string[])[]): number {
  const first = lists[0]!;
  const end = first.findIndex((item, index) => lists.some((list) => list[index] !== item));

  return end === -1 ? first.length : end;
}
