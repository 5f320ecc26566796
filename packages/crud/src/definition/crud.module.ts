/** Sets the defaults of all resources by a module in the application's `imports`. */
import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { CrudConfigService } from './crud-config.service.js';
import { enhancerIn } from './global-config.js';
import type { CrudGlobalConfig } from './options.js';

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
  const enhancer = enhancerIn(config);

  if (enhancer !== undefined) {
    throw new Error(
      `CrudModule.forRootAsync: ${enhancer} comes too late for Nest; give it to CrudModule.forRoot or CrudConfigService.load`,
    );
  }
}
