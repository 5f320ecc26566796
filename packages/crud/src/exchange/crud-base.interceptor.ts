import { type ExecutionContext, Inject, Optional } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { Application } from './application.js';
import { definitionOf, NO_OPTIONS, readDeclaredOptions } from '../definition/resource-definition.js';
import { getAction } from '../decorators.js';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import type { CrudActions } from '../routes/route-table.js';

// Properties, since Nest would give the parameters of a subclass's constructor the tokens of an inherited one; symbols, since subclasses have names of their own.
const MODULES = Symbol('modules');
const ADAPTER_HOST = Symbol('adapter host');
const APPLICATION_CONFIG = Symbol('application config');
export const APPLICATION = Symbol('application');

/** What a handler's resource says of it. */
export interface CrudInfo {
  /** Options of `@Crud()` with the global ones filled in; undefined if the controller has none. */
  ctrlOptions: MergedCrudOptions | undefined;
  /** The same, or empty options. */
  crudOptions: Partial<MergedCrudOptions>;
  /** What `@Action()` says of the handler; generated and overriding ones have it. */
  action: CrudActions;
}

/** What `CrudRequestInterceptor` and `CrudResponseInterceptor` share. */
export abstract class CrudBaseInterceptor {
  @Optional()
  @Inject(ModulesContainer)
  private readonly [MODULES]?: ModulesContainer;

  @Optional()
  @Inject(HttpAdapterHost)
  private readonly [ADAPTER_HOST]?: HttpAdapterHost;

  @Optional()
  @Inject(ApplicationConfig)
  private readonly [APPLICATION_CONFIG]?: ApplicationConfig;

  #application?: Application;

  // Made on first use: Nest sets the properties after the interceptor was constructed.
  protected get [APPLICATION](): Application {
    const { [MODULES]: modules, [ADAPTER_HOST]: host, [APPLICATION_CONFIG]: config } = this;

    return (this.#application ??= new Application({ modules, host, config }));
  }

  /** The options of a handler's controller, with its `@CrudAuth`, and the handler's action. */
  protected getCrudInfo(context: ExecutionContext): CrudInfo {
    const controller = context.getClass();
    const auth = definitionOf(controller)?.auth;
    const declared = readDeclaredOptions(controller) as MergedCrudOptions | undefined;
    // `@CrudAuth()` may be on a class that inherits its options.
    const ctrlOptions = declared && auth !== declared.auth ? ({ ...declared, auth } as MergedCrudOptions) : declared;

    return { ctrlOptions, crudOptions: ctrlOptions ?? NO_OPTIONS, action: getAction(context.getHandler()) };
  }
}

/** Whether a subclass or instance overrides any of the methods. */
export function overridesAny(
  instance: object,
  { prototype }: { readonly prototype: object },
  methods: readonly string[],
): boolean {
  return methods.some(
    (method) => (instance as Record<string, unknown>)[method] !== (prototype as Record<string, unknown>)[method],
  );
}
