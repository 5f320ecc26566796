/** Finished documents of @nestjs/swagger in, the library's operation ids in them made unique out; the application's own stay as they are, and nothing is refused. */
import type { swagger } from '../nest/optional-peers.js';

type Document = ReturnType<NonNullable<typeof swagger>['SwaggerModule']['createDocument']>;

interface Operation {
  operationId?: string;
}

const given = new Set<string>();

/** Notes an id that the library gives to a handler. */
export function noteOperationId(id: string): void {
  given.add(id);
}

/** Puts behind each of the library's ids that stands under several paths what tells its path from the others. */
export function separateIds({ paths }: Pick<Document, 'paths'>): void {
  const byId = new Map<string, [path: string, operation: Operation][]>();

  for (const [path, item] of Object.entries(paths)) {
    for (const operation of Object.values(item) as Operation[]) {
      const id = operation?.operationId;
      if (typeof id === 'string') byId.set(id, [...(byId.get(id) ?? []), [path, operation]]);
    }
  }

  const taken = new Set(byId.keys());

  for (const [id, uses] of byId) {
    if (uses.length === 1 || !given.has(id)) continue;
    taken.delete(id);
    const marks = differences(uses.map(([path]) => path.split('/').filter(Boolean)));

    uses.forEach(([, operation], index) => {
      operation.operationId = free([id, ...(marks[index] ?? [])].join('_'), taken);
      taken.add(operation.operationId);
    });
  }
}

/** What is left of each list without the items that all of them end and begin with. */
function differences(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const backwards = lists.map((list) => [...list].reverse());
  const heads = backwards.map((list) => list.slice(sharedStart(backwards)).reverse());

  return heads.map((list) =>
    list.slice(sharedStart(heads)).map((name) => name.replace(/\W+/g, '_').replace(/^_|_$/g, '')),
  );
}

function sharedStart(lists: readonly (readonly string[])[]): number {
  const [first = []] = lists;
  const end = first.findIndex((item, index) => lists.some((list) => list[index] !== item));

  return end === -1 ? first.length : end;
}

function free(id: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = id; ; number++) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${id}_${number}`;
  }
}
