/** The defaults of all resources: one configuration per process, shared by every copy of the package. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { GLOBAL_STATE_KEY } from '../constants.js';
import { frozenCopy, isPlainObject, merged } from './plain-objects.js';
import { withoutSwitches } from '../routes/optional-routes.js';
import type { CrudGlobalConfig } from './options.js';

/** State of the process, shared by all copies of the package. */
interface GlobalState {
  config: CrudGlobalConfig;
  /** Controllers whose definitions still follow the configuration, and the function that remakes each. */
  readonly pending: Map<object, () => void>;
  /** Controllers that Nest has read: guards and interceptors added later would never be called. */
  readonly read: WeakSet<object>;
  /** Whether a definition is in use already, so that later configuration does not reach it. */
  frozen: boolean;
  /** Secret of entity tags if the configuration has none. */
  ownSecret?: string;
}

const DEFAULTS: CrudGlobalConfig = {
  auth: {},
  query: { alwaysPaginate: false },
  // Services and overrides read `request.options.routes.deleteOneBase.returnDeleted` without asking whether there is such a route option.
  routes: {
    getManyBase: {},
    getOneBase: {},
    createOneBase: { returnShallow: false },
    createManyBase: {},
    updateOneBase: { allowParamsOverride: false, returnShallow: false },
    replaceOneBase: { allowParamsOverride: false, returnShallow: false },
    deleteOneBase: { returnDeleted: false },
    recoverOneBase: {},
  },
  params: {},
  serialize: {},
  operators: {},
};

function state(): GlobalState {
  const holder = globalThis as { [GLOBAL_STATE_KEY]?: GlobalState };

  return (holder[GLOBAL_STATE_KEY] ??= {
    config: frozenCopy(DEFAULTS),
    pending: new Map(),
    read: new WeakSet(),
    frozen: false,
  });
}

/** The current configuration. */
export function globalConfig(): CrudGlobalConfig {
  return state().config;
}

/** The secret of entity tags: the configuration's, else one of the process. */
export function etagSecret(): string {
  const current = state();

  return current.config.etagSecret ?? (current.ownSecret ??= randomBytes(32).toString('base64'));
}

/**
 * Merges a configuration into the current one, and remakes the definitions that are not in use yet. Returns whether it
 * changes anything that definitions in use will miss.
 */
export function loadGlobalConfig(config: CrudGlobalConfig): { readonly late: boolean } {
  const current = state();
  const before = current.config;
  const enhancer = findEnhancer(config);
  if (enhancer !== undefined && [...current.pending.keys()].some((controller) => current.read.has(controller)))
    throw new Error(`The global configuration comes too late for ${enhancer}: Nest has read the controllers already`);

  current.config = frozenCopy(merged(before, { ...config, routes: withoutSwitches(config.routes) }));
  for (const apply of current.pending.values()) apply();

  return { late: current.frozen && !isDeepStrictEqual(before, current.config) };
}

/** The first option of a configuration that adds guards, interceptors or the like to routes. */
export function findEnhancer({ routes = {} }: CrudGlobalConfig): string | undefined {
  for (const [route, options] of Object.entries(routes)) {
    for (const name of ['interceptors', 'decorators'] as const)
      if (isPlainObject(options) && options[name] !== undefined) return `routes.${route}.${name}`;
  }

  return undefined;
}

/** Records that Nest has read a controller. */
export function markRead(controller: object): void {
  state().read.add(controller);
}

/** Makes the definition of a controller now, and again for each configuration loaded before it is frozen. */
export function applyNowAndOnLoad(controller: object, apply: () => void): void {
  apply();
  state().pending.set(controller, apply);
}

/** Freezes the definition of a controller when its application starts: later configuration does not change it. */
export function freezeDefinition(controller: object): void {
  const current = state();

  if (current.pending.delete(controller)) current.frozen = true;
}
