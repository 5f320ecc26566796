/** The export of a list: read by the adapter part by part, else made from the verb's result. */
import { types } from 'node:util';
import type { CrudRequest } from '../crud-request.js';
import { isExport } from '../plan/paging.js';
import type { ListExport } from '../response/list-export.js';
import type { BaseRouteName } from '../routes/route-table.js';

/**
 * For adapters: name of the method by which a service exports a list; see {@link ExportingService}. No two copies of
 * this package share it.
 */
export const EXPORT = Symbol('export');

/** For adapters: a service that reads whole lists part by part. */
export interface ExportingService {
  /** The requested list, not read yet; undefined if the application overrides how lists are read. */
  [EXPORT](request: CrudRequest): ListExport | undefined;
}

/** Whether a route answers a request with a whole list in another format than JSON. */
export function asksForExport(route: BaseRouteName | undefined, { parsed, options }: CrudRequest): boolean {
  return route === 'getManyBase' && isExport(parsed ?? {}, options?.query ?? {});
}

/** The export of a service that reads lists itself. */
export function exportOf(service: object, request: CrudRequest): ListExport | undefined {
  const { [EXPORT]: exporting } = service as Partial<ExportingService>;

  // A proxy may replace a verb without the service behind it noticing.
  return exporting && !hasProxy(service) ? exporting.call(service, request) : undefined;
}

/** Whether an object or one that it inherits from is a Proxy. */
export function hasProxy(object: object): boolean {
  for (let one: object | null = object; one; one = Object.getPrototypeOf(one) as object | null)
    if (types.isProxy(one)) return true;

  return false;
}
