/** The `@Crud()` controllers of an application, found in Nest's container. */
import { ContextIdFactory, ModuleRef, type ModulesContainer } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { CATALOG } from '../constants.js';
import { definitionOf } from '../definition/definitions.js';
import { isObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type CrudService, isCrudService } from '../service/crud.service.js';
import type { Catalog } from '../plan/catalog.js';
import { catalogFor } from '../plan/changed-options.js';
import { constructorTypes } from '../nest/metadata.js';
import { hostsOf, type NestModule, pathsOf } from '../nest/paths.js';

/** One `@Crud()` controller of an application. */
export interface CrudResource {
  readonly controller: Type<unknown>;
  readonly definition: ResourceDefinition;
  /**
   * The controller, or an instance created for the check if it is request-scoped; undefined if none could be created.
   */
  readonly instance: object | undefined;
  /** Its public property `service`; without one, the service of its entity that it has under another name. */
  readonly service: Partial<CrudService<object>> | undefined;
  /** The paths before the routes of the controller: global prefix, module path, controller path. */
  readonly paths: readonly string[];
  /** Hosts that the controller is bound to, if they are texts. */
  readonly hosts: readonly string[];
}

/** The resources of an application; request-scoped controllers are instantiated once for the checks. */
export async function resourcesOf(modules: ModulesContainer): Promise<readonly CrudResource[]> {
  const resources: CrudResource[] = [];

  for (const module of modules.values()) {
    for (const { metatype, instance, isStatic } of controllersOf(module)) {
      const definition = definitionOf(metatype);
      if (!definition) continue;

      const own = isStatic ? instance : await instanceForChecks(metatype, module);
      const service = serviceIn(own, definition) ?? (isStatic ? undefined : await injectedService(metatype, module));
      resources.push({
        controller: metatype,
        definition,
        instance: own,
        service,
        paths: pathsOf(metatype, module, modules),
        hosts: hostsOf(metatype),
      });
    }
  }

  return resources;
}

/**
 * The classes of the controllers of an application.
 *
 * @param among Classes of the modules to look into. Default: all modules.
 */
export function controllersIn(modules: ModulesContainer, among: readonly unknown[] = []): readonly object[] {
  return [...modules.values()]
    .filter(({ metatype }) => among.length === 0 || among.includes(metatype))
    .flatMap((module) => controllersOf(module).map(({ metatype }) => metatype));
}

/** The catalog of a controller's entity, if a controller of that class has been made already. */
export function catalogIn(modules: ModulesContainer, controller: object): Catalog | undefined {
  for (const module of modules.values()) {
    for (const { metatype, instance, isStatic } of controllersOf(module)) {
      if (metatype !== controller || !isStatic) continue;
      const definition = definitionOf(metatype);

      const service = definition && serviceIn(instance, definition);

      return service && catalogFor(service, definition);
    }
  }

  return undefined;
}

interface ControllerInModule {
  readonly metatype: Type<unknown>;
  readonly instance: object | undefined;
  readonly isStatic: boolean;
}

function controllersOf(module: NestModule): readonly ControllerInModule[] {
  return [...module.controllers.values()]
    .filter((wrapper) => typeof wrapper.metatype === 'function')
    .map((wrapper) => ({
      metatype: wrapper.metatype as Type<unknown>,
      instance: wrapper.instance as object | undefined,
      isStatic: wrapper.isDependencyTreeStatic(),
    }));
}

/** One provider of an application, of whichever module. */
export interface ProviderInApplication {
  /** Its class, if it is made by one. */
  readonly type: object | undefined;
  /** Its instance outside of requests. */
  readonly instance: object | undefined;
}

export function providersIn(modules: ModulesContainer): readonly ProviderInApplication[] {
  return [...modules.values()].flatMap((module) =>
    [...module.providers.values()].map(({ metatype, instance }) => ({
      type: typeof metatype === 'function' ? metatype : undefined,
      instance: isObject(instance) ? instance : undefined,
    })),
  );
}

/** The public property `service` of a controller. */
export function serviceOf(controller: object | undefined): Partial<CrudService<object>> | undefined {
  const { service } = (controller ?? {}) as { service?: Partial<CrudService<object>> };

  return isObject(service) ? service : undefined;
}

// The application's own handlers may use a service under another name: names in options are checked against its entity, too.
function serviceIn(
  controller: object | undefined,
  { model }: ResourceDefinition,
): Partial<CrudService<object>> | undefined {
  const services: readonly unknown[] = Object.values(controller ?? {});

  return (
    serviceOf(controller) ??
    (services.find((value) => modelOf(value) === model.name) as CrudService<object> | undefined)
  );
}

/** Name of the entity of a service. A service may fail to describe it, and a proxy may throw for every name. */
function modelOf(service: unknown): string | undefined {
  try {
    return isCrudService((service as object).constructor)
      ? (service as CrudService<object>)[CATALOG]?.model
      : undefined;
  } catch {
    return undefined;
  }
}

// A constructor may need a request; then only the service among its parameters is resolved.
async function instanceForChecks(metatype: Type<unknown>, module: NestModule): Promise<object | undefined> {
  try {
    return (await moduleRefOf(module)?.create(metatype, ContextIdFactory.create())) as object | undefined;
  } catch {
    return undefined;
  }
}

async function injectedService(
  metatype: Type<unknown>,
  module: NestModule,
): Promise<Partial<CrudService<object>> | undefined> {
  const type = constructorTypes(metatype).find(
    (candidate): candidate is Type<CrudService<object>> => typeof candidate === 'function' && isCrudService(candidate),
  );
  const moduleRef = moduleRefOf(module);
  if (!type || !moduleRef) return undefined;

  try {
    return await moduleRef.resolve(type, ContextIdFactory.create(), { strict: false });
  } catch {
    return moduleRef.get(type, { strict: false });
  }
}

function moduleRefOf(module: NestModule): ModuleRef | undefined {
  return module.providers.get(ModuleRef)?.instance as ModuleRef | undefined;
}
