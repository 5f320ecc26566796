/**
 * `validation.columns: 'declared'`: of a column only what its declaration says is checked, not what the adapter assumed
 * of it.
 */
import { CATALOG } from '../constants.js';
import { globalConfig } from '../definition/global-config.js';
import type { CrudRequestOptions } from '../definition/options.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { Refusal } from './refusal.js';

/**
 * The catalog of a service as the options of a request or a resource have it.
 *
 * @example
 * planRead(request, catalogFor(service, request), 'many');
 */
export function catalogFor<S extends { readonly [CATALOG]?: Catalog | undefined }>(
  { [CATALOG]: catalog }: S,
  { options }: { readonly options?: Pick<CrudRequestOptions, 'columns'> },
): S[typeof CATALOG] {
  const columns = options?.columns ?? (globalConfig().validation || {}).columns;

  return (columns === 'declared' && catalog?.declared) || catalog;
}

/** Reads a value by a column; a refusal that the option would prevent names it. */
export function readNaming(
  read: (column: CatalogColumn, raw: unknown) => unknown,
  column: CatalogColumn,
  raw: unknown,
): unknown {
  const value = read(column, raw);
  const { declared } = column;
  // A counted key is an integer in any case.
  if (!(value instanceof Refusal) || !declared || declared.kind === 'integer') return value;
  if (read(declared, raw) instanceof Refusal) return value;

  return new Refusal(
    value.code,
    `${value.text} (assumed, since @Column() does not declare it; validation: { columns: 'declared' } leaves it out)`,
  );
}
