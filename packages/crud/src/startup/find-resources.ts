/** The `@Crud()` controllers of an application, found in Nest's container. */
import { ContextIdFactory, ModuleRef, type ModulesContainer } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { CATALOG } from '../constants.js';
import { definitionOf, type ResourceDefinition } from '../definition/resource-definition.js';
import { isObject } from '../definition/plain-objects.js';
import { show } from '../definition/wording.js';
import { getOrInsert } from '../get-or-insert.js';
import { type CrudService, isCrudService } from '../service/crud.service.js';
import type { Catalog } from '../plan/catalog.js';
import { catalogFor } from '../plan/changed-options.js';
import { constructorTypes } from '../nest/metadata.js';
import { listHosts, type NestModule, listPaths } from '../nest/paths.js';

/** A service, perhaps without some methods: nobody has checked it yet. */
type Service = Partial<CrudService<object>>;

/** One `@Crud()` controller of an application. */
export interface CrudResource {
  readonly controller: Type<object>;
  readonly definition: ResourceDefinition;
  /**
   * The controller, or an instance created for the check if it is request-scoped; undefined if none could be created.
   */
  readonly instance: object | undefined;
  /** Its public property `service`; without one, the service of its entity that it has under another name. */
  readonly service: Service | undefined;
  /** The paths before the routes of the controller: global prefix, module path, controller path. */
  readonly paths: readonly string[];
  /** Hosts that the controller is bound to, if they are texts. */
  readonly hosts: readonly string[];
}

/** The resources of an application; request-scoped controllers are instantiated once for the checks. */
export async function findResources(modules: ModulesContainer): Promise<readonly CrudResource[]> {
  const resources: CrudResource[] = [];

  for (const { module, metatype, instance, isStatic } of listControllers(modules)) {
    const definition = definitionOf(metatype);
    if (!definition) continue;

    const own = isStatic ? instance : await instanceForChecks(metatype, module);
    const service = findService(own, definition) ?? (isStatic ? undefined : await injectedService(metatype, module));
    resources.push({
      controller: metatype,
      definition,
      instance: own,
      service,
      paths: listPaths(metatype, module, modules),
      hosts: listHosts(metatype),
    });
  }
  labelResources(resources);

  return resources;
}

const labels = new WeakMap<object, string>();

/** Chooses unique names for the resources of an application. */
function labelResources(resources: readonly CrudResource[]): void {
  const classes = new Map<string, Set<object>>();
  for (const { controller, definition } of resources)
    getOrInsert(classes, definition.controller, () => new Set()).add(controller);

  for (const { controller, definition, paths } of resources) {
    const { controller: name, modelName } = definition;
    const isShared = classes.get(name)!.size > 1;
    labels.set(controller, isShared ? `${name} (path ${paths.map(show).join(', ')}, model ${modelName})` : name);
  }
}

/** The name of a resource in messages. */
export function readLabel(resource: { readonly controller: object; readonly definition: ResourceDefinition }): string {
  return labels.get(resource.controller) ?? resource.definition.controller;
}

/**
 * The classes of the controllers of an application.
 *
 * @param among Classes of the modules to look into. Default: all modules.
 */
export function listControllerClasses(modules: ModulesContainer, among: readonly unknown[] = []): readonly object[] {
  return listControllers(modules)
    .filter(({ module }) => among.length === 0 || among.includes(module.metatype))
    .map(({ metatype }) => metatype);
}

/** The catalog of a controller's entity, if a controller of that class has been made already. */
export function findCatalog(modules: ModulesContainer, controller: object): Catalog | undefined {
  const made = listControllers(modules).find(({ metatype, isStatic }) => metatype === controller && isStatic);
  const definition = made && definitionOf(controller);
  const service = definition && findService(made.instance, definition);

  return service && catalogFor(service, definition);
}

interface ControllerInModule {
  readonly module: NestModule;
  readonly metatype: Type<object>;
  readonly instance: object | undefined;
  readonly isStatic: boolean;
}

function listControllers(modules: ModulesContainer): readonly ControllerInModule[] {
  return [...modules.values()].flatMap((module) =>
    [...module.controllers.values()]
      .filter((wrapper) => typeof wrapper.metatype === 'function')
      .map((wrapper) => ({
        module,
        metatype: wrapper.metatype as Type<object>,
        instance: wrapper.instance as object | undefined,
        isStatic: wrapper.isDependencyTreeStatic(),
      })),
  );
}

/** The public property `service` of a controller. */
export function readService(controller: object | undefined): Service | undefined {
  const { service } = (controller ?? {}) as { service?: Service };

  return isObject(service) ? service : undefined;
}

// The application's own handlers may use a service under another name: names in options are checked against its entity,
// too.
function findService(controller: object | undefined, { model }: ResourceDefinition): Service | undefined {
  const services: readonly unknown[] = Object.values(controller ?? {});

  return (
    readService(controller) ??
    (services.find((value) => readModelName(value) === model.name) as CrudService<object> | undefined)
  );
}

/** Name of the entity of a service. A service may fail to describe it, and a proxy may throw for every name. */
function readModelName(service: unknown): string | undefined {
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
    return (await findModuleRef(module).create(metatype, ContextIdFactory.create())) as object | undefined;
  } catch {
    return undefined;
  }
}

async function injectedService(metatype: Type<unknown>, module: NestModule): Promise<Service | undefined> {
  const type = constructorTypes(metatype).find(
    (candidate): candidate is Type<CrudService<object>> => typeof candidate === 'function' && isCrudService(candidate),
  );

  try {
    return type && (await findModuleRef(module).resolve(type, ContextIdFactory.create(), { strict: false }));
  } catch {
    // It needs a request itself, or it is provided under a token.
    return undefined;
  }
}

/** Every module has one. */
function findModuleRef(module: NestModule): ModuleRef {
  return module.providers.get(ModuleRef)!.instance as ModuleRef;
}
