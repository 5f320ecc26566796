import type { ParamsOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import { findModelClass } from './model-class.js';
import { OPTIONS } from './option-table.js';
import { frozenCopy, hasKeys, isObject } from './plain-objects.js';
import type { CrudGlobalConfig, CrudOptions } from './options.js';
import type { SettledRoutesOptions } from './route-options.js';

/** Options of validation, or `false` if the library does not validate. */
export type ValidationOptions = Readonly<NonNullable<CrudOptions['validation']>>;

/** Options of a resource with the global ones and the defaults filled in; what a `CrudRoutesFactory` works with. */
export interface MergedCrudOptions extends CrudOptions {
  /** The class of the records, whatever `model.type` named. */
  model: { type: Type<unknown> };
  /** With the global options under those of the resource. */
  query: NonNullable<CrudOptions['query']>;
  /** With the global options under those of the resource. */
  routes: SettledRoutesOptions;
  /** Those of the resource, else the global ones; `id` is added if nothing is primary. */
  params: ParamsOptions;
  /** As given; `{}` if nothing is. */
  dto: NonNullable<CrudOptions['dto']>;
  /** With the global options under those of the resource. */
  serialize: NonNullable<CrudOptions['serialize']>;
  /** With the global operators under those of the resource. */
  operators: NonNullable<CrudOptions['operators']>;
  openapi: NonNullable<CrudOptions['openapi']>;
  validation: ValidationOptions;
  /** `@CrudAuth()` merged over the global scope; undefined if there is neither. */
  auth?: AuthOptions;
}

const DEFAULT_KEY = { field: 'id', type: 'number', primary: true } as const;
const withDefaultKey = new WeakSet<ParamsOptions>();

/** Fills in what the options leave out, and freezes the whole. */
export function mergeOptions(
  options: CrudOptions,
  global: CrudGlobalConfig,
  auth: AuthOptions | undefined,
): MergedCrudOptions {
  const scope = mergeAuth(auth, global.auth);
  const values = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { merge }]) => [
      name,
      merge(global[name as keyof CrudGlobalConfig], options[name as keyof CrudOptions]),
    ]),
  ) as unknown as MergedCrudOptions;
  const params = withPrimary(values.params);

  const whole = frozenCopy({
    ...options,
    ...values,
    // Without one, a routes factory refuses the options.
    model: { ...options.model, type: findModelClass(options.model?.type) as Type<unknown> },
    params,
    ...(scope && { auth: scope }),
  });
  if (params['id'] === DEFAULT_KEY) withDefaultKey.add(whole.params);

  return whole;
}

/** Whether no parameter is declared primary, so that the key is `id`. */
export function hasDefaultKey(params: ParamsOptions): boolean {
  return withDefaultKey.has(params);
}

/** The scope of a controller with the global one under it, frozen; undefined if there is neither. */
export function mergeAuth(own: AuthOptions | undefined, global: AuthOptions | undefined): AuthOptions | undefined {
  const scope = { ...global, ...own };

  return hasKeys(scope) ? Object.freeze(scope) : undefined;
}

// The default key is `id`; disabling `id` means that paths have no key.
function withPrimary(params: ParamsOptions): ParamsOptions {
  const named = Object.entries(params).map(([name, option]) => [
    name,
    isObject(option) && option.field === undefined ? { ...option, field: name } : option,
  ]) as [string, ParamsOptions[string]][];
  const hasPrimary = named.some(
    ([name, option]) => isObject(option) && (option.primary || (name === 'id' && option.disabled)),
  );
  const settled = Object.fromEntries(named);
  if (hasPrimary) return settled;

  return { ...settled, id: settled['id'] === undefined ? DEFAULT_KEY : { ...settled['id'], primary: true } };
}
