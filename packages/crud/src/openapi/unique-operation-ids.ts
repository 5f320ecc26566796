/**
 * Makes the library's operation ids unique in a document. Ids that the application gave stay as they are; a short id that another operation has is
 * refused.
 */
import { getOrInsert } from '../get-or-insert.js';
import type { DocumentOperation } from './document-operations.js';
import { firstFree } from './shape-names.js';

/** Appends to each library id that occurs under several paths the part of its path that differs. */
export function makeIdsUnique(operations: readonly DocumentOperation[]): void {
  const byId = groupedById(operations);
  refuseSharedShortIds(byId);
  const taken = new Set(byId.keys());

  for (const [id, uses] of byId) {
    if (uses.length === 1) continue;

    const suffixes = differences(uses.map(({ path }) => path.split('/').filter(Boolean)));
    const ours = uses
      .map((use, index) => ({ use, suffix: suffixes[index] ?? [] }))
      .filter(({ use }) => use.handler?.idStyle !== undefined);
    if (ours.length === uses.length) taken.delete(id);

    for (const { use, suffix } of ours) {
      use.operation.operationId = freeId([id, ...suffix].join('_'), taken);
      taken.add(use.operation.operationId);
    }
  }
}

function groupedById(operations: readonly DocumentOperation[]): ReadonlyMap<string, readonly DocumentOperation[]> {
  const byId = new Map<string, DocumentOperation[]>();

  for (const entry of operations) {
    const id = entry.operation.operationId;
    if (typeof id === 'string') getOrInsert(byId, id, () => []).push(entry);
  }

  return byId;
}

/** Clients refer to short ids by name: a number added to one of them would change with the order of modules. */
function refuseSharedShortIds(byId: ReadonlyMap<string, readonly DocumentOperation[]>): void {
  const mistakes = [...byId].filter(([, uses]) => sharesShortId(uses)).map(([id, uses]) => clashMessage(id, uses));
  if (mistakes.length === 0) return;

  const remedy =
    "Name one of the resources differently by @Crud({ openapi: { singular, plural } }), or take long ids there by openapi.operationIds: 'long'";

  throw new Error([...mistakes, remedy].join(mistakes.length === 1 ? ' ' : '\n'));
}

function sharesShortId(uses: readonly DocumentOperation[]): boolean {
  const [short] = uses.filter(({ handler }) => handler?.idStyle === 'short');

  return short !== undefined && uses.some(({ handler }) => handler !== short.handler);
}

function clashMessage(id: string, uses: readonly DocumentOperation[]): string {
  const places = uses.map(({ path, method, handler }) => {
    const controller = handler?.description.definition.controller;

    return `${method.toUpperCase()} ${path}${controller === undefined ? '' : ` (${controller})`}`;
  });

  return `The operation id ${id} is shared by ${places.join(' and ')}.`;
}

/** Each list without the items that all lists have at their beginning and end. */
function differences(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const reversed = lists.map((list) => [...list].reverse());
  const heads = reversed.map((list) => list.slice(sharedStart(reversed)).reverse());

  return heads.map((list) =>
    list.slice(sharedStart(heads)).map((name) => name.replace(/\W+/g, '_').replace(/^_|_$/g, '')),
  );
}

function sharedStart(lists: readonly (readonly string[])[]): number {
  const [first = []] = lists;
  const end = first.findIndex((item, index) => lists.some((list) => list[index] !== item));

  return end === -1 ? first.length : end;
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  const isFree = (candidate: string) => !taken.has(candidate);

  return isFree(id) ? id : firstFree((number) => `${id}_${number}`, isFree);
}
