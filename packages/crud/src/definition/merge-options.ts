import type { ParamsOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import { frozenCopy, isObject, merged } from './plain-objects.js';
import { modelClass } from './model-class.js';
import { withoutSwitches } from '../routes/optional-routes.js';
import type { CrudGlobalConfig, CrudOptions } from './options.js';
import type { SettledRoutesOptions } from './route-options.js';
import { mergedValidation, type ValidationOptions } from './merge-validation.js';

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
  const params = withPrimary(hasKeys(options.params) ? options.params : (global.params ?? {}));

  const whole = frozenCopy({
    ...options,
    // Without one, a routes factory refuses the options.
    model: { ...options.model, type: modelClass(options.model?.type) as Type<unknown> },
    query: { ...global.query, ...definedOnly(options.query) },
    routes: merged(withoutSwitches(global.routes ?? {}), withoutSwitches(options.routes)) as SettledRoutesOptions,
    params,
    dto: { ...options.dto },
    serialize: { ...global.serialize, ...definedOnly(options.serialize) },
    operators: merged(global.operators ?? {}, options.operators),
    openapi: { ...global.openapi, ...definedOnly(options.openapi) },
    validation: mergedValidation(global.validation, options.validation),
    ...(scope && { auth: scope }),
  });
  if (params['id'] === DEFAULT_KEY) withDefaultKey.add(whole.params);

  return whole;
}

/** Whether no parameter is declared primary, so that the key is `id`. */
export function hasDefaultKey(params: ParamsOptions): boolean {
  return withDefaultKey.has(params);
}

/** The scope of a controller with the global one under it. */
export function mergeAuth(own: AuthOptions | undefined, global: AuthOptions | undefined): AuthOptions | undefined {
  const scope = { ...global, ...own };

  return hasKeys(scope) ? scope : undefined;
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

  if (!hasPrimary) {
    const own = named.find(([name]) => name === 'id')?.[1];
    if (own !== undefined) {
      return Object.fromEntries(
        named.map(([name, option]) => [name, option === own ? { ...own, primary: true } : option]),
      );
    }

    named.push(['id', DEFAULT_KEY]);
  }

  return Object.fromEntries(named);
}

function hasKeys(value: object | undefined): value is object {
  return isObject(value) && Object.keys(value).length > 0;
}

function definedOnly<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, item]) => item !== undefined)) as Partial<T>;
}
