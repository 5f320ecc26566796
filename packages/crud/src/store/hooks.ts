import { Logger } from '@nestjs/common';
import type { CrudRequest } from '../crud-request.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { type ChangeEmitter, emitChanges, emitterOf, type HookContext } from '../service/change.js';
import { readBodyScope } from './bodies.js';
import { HookedService } from './hooked.service.js';
import { STORE, type StoreHooks, type WriteHooks } from './store.js';

/** The hooks of one write; undefined if the service overrides none and the application receives no events. */
export function findHooks<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  route: BaseRouteName,
): WriteHooks | undefined {
  const own = findOwnHooks(service);
  const emitter = emitterOf(service);

  const { hooks } = service[STORE];

  return hooks && (own.before || own.after || own.commit || emitter)
    ? buildHooks(service, hooks, own, emitter, { request, route })
    : undefined;
}

/** Which hooks a service overrides. */
export function findOwnHooks<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
): Readonly<Record<'before' | 'after' | 'commit', boolean>> {
  const library = HookedService.prototype;

  return {
    before: service.beforeChange !== library.beforeChange,
    after: service.afterChange !== library.afterChange,
    commit: service.afterCommit !== library.afterCommit,
  };
}

function buildHooks<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  store: StoreHooks,
  own: ReturnType<typeof findOwnHooks>,
  emitter: ChangeEmitter | undefined,
  write: Omit<HookContext<Manager>, 'manager'>,
): WriteHooks {
  const { needsBefore = false } = service;
  const reportsCommits = own.commit || emitter !== undefined;
  const makeContext = (connection?: never) => ({ ...write, manager: store.getManager(connection) as Manager });

  const hooks: WriteHooks = {
    scope: readBodyScope(service, write.request),
    needsBefore: (kind) => (typeof needsBefore === 'boolean' ? needsBefore : needsBefore.includes(kind)),
    callsAfter: own.after || reportsCommits,
    before: async (change, connection) => {
      if (own.before) await service.beforeChange(change, makeContext(connection));
    },
    after: async (change, connection) => {
      if (own.after) await service.afterChange(change, makeContext(connection));
      if (reportsCommits) store.reportAfterCommit(connection, hooks, change);
    },
    committed: async (changes) => {
      if (own.commit) await logFailure(service, async () => service.afterCommit(changes, makeContext()));
      if (emitter) emitChanges(emitter, changes);
    },
  };

  return hooks;
}

/** The change is committed, so a later error must not fail the request. */
async function logFailure(service: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { stack } = (error ?? {}) as Partial<Error>;
    new Logger('Crud').error(`${service.constructor.name}.afterCommit failed: ${String(error)}`, stack);
  }
}
