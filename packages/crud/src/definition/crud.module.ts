/** Sets the defaults of all resources: by a static call, as in nestjsx/crud, or by a module in the application's `imports`. */
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { type DynamicModule, Logger, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { findEnhancer, globalConfig, loadGlobalConfig } from './global-config.js';
import type { CrudGlobalConfig } from './options.js';

/**
 * Defaults for every `@Crud()` of the process. They may be loaded before or after the controllers are imported, until their application starts;
 * what is loaded later does not reach them. `CrudModule.forRoot()` does the same.
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
   * @throws Error if it has interceptors or decorators of routes after Nest has read the controllers: they would never be called.
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
   * CrudModule.forRootAsync({ inject: [ConfigService], useFactory: (config: ConfigService) => ({ query: { limit: config.get('PAGE_SIZE') } }) });
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
      `CrudModule.forRootAsync: ${enhancer} comes too late for Nest; give it to CrudModule.forRoot or CrudConfigService.load`,
    );
  }
}
