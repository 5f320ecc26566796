/** The definition of a route whose controller has no `@Crud()`: nothing configured, the query language alone. */
import { globalConfig } from './global-config.js';
import type { ResourceDefinition } from './resource-definition.js';

const OPTIONS = Object.freeze({
  query: Object.freeze({}),
  routes: Object.freeze({}),
  params: Object.freeze({}),
  operators: Object.freeze({}),
});

/** Made per request, so that it follows the current global configuration. */
export const bareDefinition = (): ResourceDefinition => ({
  controller: '',
  model: Object,
  modelName: 'Record',
  options: OPTIONS,
  dto: {},
  serialize: {},
  validation: false,
  language: globalConfig().queryParser ?? {},
  routes: new Set(),
});
