/** POST with `onConflict`: updates an existing record as PATCH would, instead of failing. */
import { reportOutcome } from '../response/request-state.js';
import { planBody, scopeBody } from './bodies.js';
import { isShown } from './shown.js';
import type { Upsert, UpsertItem, WriteItem, Written } from './store.js';
import { makeKeyRequest, type ServiceWrite } from './write-context.js';

export interface NewItem extends Pick<WriteItem, 'path' | 'plan'> {
  /** The record as POST would store it. */
  readonly body: object;
}

type UpsertOptions = Pick<Upsert, 'answer' | 'allowGeneratedKey' | 'onConflict'>;

/** `POST /` and `POST /bulk`. */
export async function upsertItems<T, DTO, Manager>(
  asked: ServiceWrite<T, DTO, Manager>,
  items: readonly NewItem[],
  options: UpsertOptions,
): Promise<readonly Written[]> {
  const { context } = asked;
  const { written, created } = await context.store.upsert!({
    verb: 'insert',
    context,
    items: items.map((item) => makeUpsertItem(asked, item)),
    ...options,
  });
  if (!created) reportOutcome(context.request, { updated: true });

  return written;
}

function makeUpsertItem<T, DTO, Manager>(
  { service, context }: ServiceWrite<T, DTO, Manager>,
  { body, plan, path }: NewItem,
): UpsertItem {
  return {
    context,
    plan,
    path,
    update: async (key) => {
      const request = makeKeyRequest(context.request, key);
      if (!(await isShown(service, request))) return undefined;

      return {
        context: { ...context, request },
        plan: planBody(service, request, scopeBody(service, body, request), 'update', path),
      };
    },
  };
}
