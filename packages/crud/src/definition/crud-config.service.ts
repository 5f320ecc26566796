/** Sets the defaults of all resources by a static call, as in nestjsx/crud. */
import { Logger } from '@nestjs/common';
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { globalConfig, loadGlobalConfig } from './global-config.js';
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
