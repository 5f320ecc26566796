/** The definition of a route whose controller has no `@Crud()`: the query language, and those global options that restore the behaviour of nestjsx/crud. */
import { getOrInsert } from '../get-or-insert.js';
import { globalConfig } from './global-config.js';
import type { ResourceDefinition, ResourceOptions } from './resource-definition.js';

/** Options of a resource that configures nothing. */
export const NO_OPTIONS = Object.freeze({
  query: Object.freeze({}),
  routes: Object.freeze({}),
  params: Object.freeze({}),
  operators: Object.freeze({}),
});

// One object for each combination: planning caches by its identity.
const known = new Map<string, ResourceOptions>();

function bareOptions(): ResourceOptions {
  const { unknown, maxLimit } = globalConfig().query ?? {};
  const query = { ...(unknown && { unknown }), ...(maxLimit === false && { maxLimit }) };

  return getOrInsert(known, JSON.stringify(query), () => Object.freeze({ ...NO_OPTIONS, query: Object.freeze(query) }));
}

/** Made per request, so that it follows the current global configuration. */
export const bareDefinition = (): ResourceDefinition => ({
  controller: '',
  model: Object,
  modelName: 'Record',
  options: bareOptions(),
  dto: {},
  serialize: {},
  validation: false,
  language: globalConfig().queryParser ?? {},
  routes: new Set(),
});
