import { type CrudError, isSame } from '@nestwright/client';
import type { RaRecord, UpdateParams, UpdateResult } from 'ra-core';

/** A save that was refused, since others have changed the record. */
export interface SaveConflict {
  /** The record as the form was opened with it. */
  readonly base: Partial<RaRecord>;
  /** The record as the form would have it. */
  readonly mine: Partial<RaRecord>;
  /** The record as others have stored it. */
  readonly theirs: Partial<RaRecord>;
  /** Names of the fields that the form has changed. */
  readonly changed: readonly string[];
}

type Update = (resource: string, params: UpdateParams) => Promise<UpdateResult>;

/**
 * Middleware for the saves of a form. If others have changed the record since it was read, it asks what to store, and
 * stores that over their version; until it succeeds, or `ask` throws.
 *
 * @param ask Resolves to the record to store: `theirs` with whatever of `mine` it shall have.
 * @example
 * useRegisterMutationMiddleware(resolveConflicts(async ({ mine, theirs }) => ({ ...theirs, title: mine.title })));
 */
export function resolveConflicts(ask: (conflict: SaveConflict) => Promise<Partial<RaRecord>>) {
  return async (resource: string, params: UpdateParams, next: Update): Promise<UpdateResult> => {
    for (let attempt = params; ;) {
      try {
        return await next(resource, attempt);
      } catch (error) {
        const { compare } = error as CrudError;
        if (!compare) throw error;

        const { current: theirs } = await compare();
        const { data: mine, previousData: base } = attempt as UpdateParams<RaRecord>;
        const changed = Object.keys(mine).filter((name) => !isSame(mine[name], base[name]));
        const data = await ask({ base, mine, theirs, changed });
        attempt = { ...attempt, data, previousData: theirs };
      }
    }
  };
}
