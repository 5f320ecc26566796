/** The public face of the OpenAPI room. */
export { applyOpenApi, type ApplyOpenApiOptions } from './apply.js';
