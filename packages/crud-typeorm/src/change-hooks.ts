import { Logger } from '@nestjs/common';
import type { Change, ChangeKind, HookContext } from '@nestwright/crud';
import { type BodyScope, type ChangeEmitter, emitChanges, emitterOf } from '@nestwright/crud/adapter';
import type { EntityManager } from 'typeorm';
import { reportAfterCommit } from './statements/commits.js';
import type { WriteHooks } from './statements/write-hooks.js';
import { getOriginal } from './within.js';

/** What a hook is given about the write that it is part of. */
export type ChangeContext = HookContext<EntityManager>;

/** The hooks of a service; the library's own do nothing. */
interface ChangeHooks {
  beforeChange(change: Change, context: ChangeContext): void | Promise<void>;
  afterChange(change: Change, context: ChangeContext): void | Promise<void>;
  afterCommit(changes: readonly Change[], context: ChangeContext): void | Promise<void>;
  readonly needsBefore?: boolean | readonly ChangeKind[];
}

interface HookedWrite extends ChangeContext {
  /** A manager of the data source, in no transaction of the write's. */
  readonly manager: EntityManager;
  readonly scope: BodyScope;
}

/**
 * The hooks of one write; undefined if the service overrides none and the application receives no events.
 *
 * @param library What the service's hooks are if it does not override them.
 */
export function findHooks(
  service: ChangeHooks,
  library: ChangeHooks,
  write: () => HookedWrite,
): WriteHooks | undefined {
  const own = {
    before: service.beforeChange !== library.beforeChange,
    after: service.afterChange !== library.afterChange,
    commit: service.afterCommit !== library.afterCommit,
  };
  const emitter = emitterOf(getOriginal(service));

  return own.before || own.after || own.commit || emitter ? buildHooks(service, own, emitter, write()) : undefined;
}

function buildHooks(
  service: ChangeHooks,
  own: Readonly<Record<'before' | 'after' | 'commit', boolean>>,
  emitter: ChangeEmitter | undefined,
  { request, route, manager, scope }: HookedWrite,
): WriteHooks {
  const { needsBefore = false } = service;
  const reportsCommits = own.commit || emitter !== undefined;
  const context = (on: EntityManager): ChangeContext => ({ request, route, manager: on });

  const hooks: WriteHooks = {
    scope,
    needsBefore: (kind) => (typeof needsBefore === 'boolean' ? needsBefore : needsBefore.includes(kind)),
    callsAfter: own.after || reportsCommits,
    before: async (change, on) => {
      if (own.before) await service.beforeChange(change, context(on));
    },
    after: async (change, runner) => {
      if (own.after) await service.afterChange(change, context(runner.manager));
      if (reportsCommits) reportAfterCommit(runner, hooks, change);
    },
    committed: async (changes) => {
      if (own.commit) await logged(service, async () => service.afterCommit(changes, context(manager)));
      if (emitter) emitChanges(emitter, changes);
    },
  };

  return hooks;
}

/** The change is committed, so a later error must not fail the request. */
async function logged(service: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { stack } = (error ?? {}) as Partial<Error>;
    new Logger('Crud').error(`${service.constructor.name}.afterCommit failed: ${String(error)}`, stack);
  }
}
