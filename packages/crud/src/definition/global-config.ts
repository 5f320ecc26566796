/**
 * The defaults of all resources: one configuration per process, shared by every copy of the package. It is set by a
 * static call, as in nestjsx/crud, or by a module in the application's `imports`.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { GLOBAL_STATE_KEY } from '../constants.js';
import { frozenCopy, isPlainObject, merged } from './plain-objects.js';
import { withoutSwitches } from '../routes/optional-routes.js';
import type { CrudGlobalConfig } from './options.js';
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { type DynamicModule, Logger, Module, type ModuleMetadata, type Provider } from '@nestjs/common';

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
  // Services and overrides read `request.options.routes.deleteOneBase.returnDeleted` without asking whether there is
  // such a route option.
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
function loadGlobalConfig(config: CrudGlobalConfig): { readonly late: boolean } {
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
function findEnhancer({ routes = {} }: CrudGlobalConfig): string | undefined {
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

/**
 * Defaults for every `@Crud()` of the process. They may be loaded before or after the controllers are imported, until
 * their application starts; what is loaded later does not reach them. `CrudModule.forRoot()` does the same.
 *
 * @example
 * CrudConfigService.load({ query: { limit: 25, maxLimit: 100, alwaysPaginate: true } });
 */
export class CrudConfigService {
  /** The current configuration, frozen. */
  static get config(): CrudGlobalConfig {
    return globalConfig();
  }

  /**
   * Merges a configuration into the current one: objects key by key, everything else is replaced.
   *
   * @throws Error if it has interceptors or decorators of routes after Nest has read the controllers: they would never
   * be called.
   */
  static load(config: CrudGlobalConfig = {}): void {
    // Queries that the process itself builds are spelt as those that it reads.
    if (config.queryParser) RequestQueryBuilder.setOptions(config.queryParser);
    if (loadGlobalConfig(config).late) {
      new Logger(CrudConfigService.name).warn(
        'Loaded after an application has started: its controllers keep the configuration they started with.',
      );
    }
  }
}

/** How {@link CrudModule.forRootAsync} finds the configuration. */
export interface CrudModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  /** Makes the configuration of what is injected. */
  // Injected values have the types that the application gives them.
  useFactory: (...dependencies: any[]) => CrudGlobalConfig | Promise<CrudGlobalConfig>;
  /** Tokens of the factory's parameters. */
  inject?: NonNullable<Extract<Provider, { inject?: unknown }>['inject']>;
}

/** Token of the loaded configuration. */
const CRUD_CONFIG = Symbol.for('@nestwright/crud:config');

/**
 * Sets the defaults of all resources, whatever the order of the imports.
 *
 * @example
 * `@Module({ imports: [CrudModule.forRoot({ query: { limit: 25 } }), UsersModule] }) class AppModule {}`
 */
@Module({})
export class CrudModule {
  /** Loads a configuration that is known at once, as `CrudConfigService.load` does. */
  static forRoot(config: CrudGlobalConfig = {}): DynamicModule {
    CrudConfigService.load(config);

    return { module: CrudModule, providers: [{ provide: CRUD_CONFIG, useValue: config }] };
  }

  /**
   * Loads the configuration asynchronously, before the routes of the application are created.
   *
   * @throws Error if it contains interceptors, decorators or operators of routes, because Nest has already read these.
   *
   * @example
   * CrudModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ query: { limit: config.get('PAGE_SIZE') } }),
   * });
   */
  static forRootAsync({ imports = [], inject = [], useFactory }: CrudModuleAsyncOptions): DynamicModule {
    const provider: Provider = {
      provide: CRUD_CONFIG,
      inject,
      useFactory: async (...dependencies: unknown[]) => {
        const config = await useFactory(...dependencies);
        refuseEnhancers(config);
        CrudConfigService.load(config);

        return config;
      },
    };

    return { module: CrudModule, imports, providers: [provider] };
  }
}

// Nest has read the controllers by now, so guards and interceptors would silently never be called.
function refuseEnhancers(config: CrudGlobalConfig): void {
  const enhancer = findEnhancer(config);

  if (enhancer !== undefined) {
    throw new Error(
      `CrudModule.forRootAsync: ${enhancer} comes too late for Nest; give it to CrudModule.forRoot or ` +
        'CrudConfigService.load',
    );
  }
}
