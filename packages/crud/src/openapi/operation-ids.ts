/**
 * The ids of operations. Those of the library become unique in a document; those that the application gave stay; a
 * short id that another operation has is refused.
 */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { firstFree, pluralName, singularName } from './names.js';

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
    if (uses.length === 1) continue;

    const suffixes = findDifferences(uses.map(({ path }) => path.split('/').filter(Boolean)));
    const isOurs = ({ choice }: IdentifiedOperation) => choice !== 'own';
    if (uses.every(isOurs)) taken.delete(id);

    uses.forEach((use, index) => {
      if (!isOurs(use)) return;
      const wanted = [id, ...(suffixes[index] ?? [])].join('_');
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
    "Name one of the resources differently by @Crud({ openapi: { singular, plural } }), or take long ids there by openapi.operationIds: 'long'";

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
  const [first = []] = lists;
  const end = first.findIndex((item, index) => lists.some((list) => list[index] !== item));

  return end === -1 ? first.length : end;
}
