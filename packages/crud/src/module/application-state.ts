/** Nest's modules in, what the library knows of the application out: checked once at start-up, then read by every request. */
import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { startupMistakes } from '../definition/checks.js';
import { freezeDefinition, globalConfig, markRead } from '../definition/global-config.js';
import { globalMistakes } from '../definition/option-shape.js';
import { catalogIn, controllersIn, type CrudResource, resourcesOf } from '../nest/application.js';
import type { Catalog } from '../plan/catalog.js';

interface ApplicationState {
  readonly catalogs: Map<object, Catalog>;
  started?: Promise<void>;
}

// By application, since several may run in one process; an application that is gone takes its entry along.
const states = new WeakMap<ModulesContainer, ApplicationState>();

/** Makes an application known, before it starts. */
export function registerApplication(modules: ModulesContainer): void {
  if (states.has(modules)) return;

  states.set(modules, { catalogs: new Map() });
  controllersIn(modules).forEach(markRead);
}

/** Checks the options of all resources of an application, once. Mistakes end the start with an error that lists them all. */
export function startApplication(modules: ModulesContainer): Promise<void> {
  registerApplication(modules);
  const state = states.get(modules) as ApplicationState;

  return (state.started ??= start(modules, state));
}

async function start(modules: ModulesContainer, { catalogs }: ApplicationState): Promise<void> {
  const resources = await resourcesOf(modules);
  const mistakes = globalMistakes(globalConfig()).map((mistake) => `the global configuration: ${mistake}`);

  for (const resource of resources) {
    freezeDefinition(resource.controller);
    const catalog = catalogOfService(resource, mistakes);
    if (catalog) catalogs.set(resource.controller, catalog);
    if (!resource.instance && !resource.service) warnUnchecked(resource);
    mistakes.push(...startupMistakes(resource, catalog));
  }

  if (mistakes.length > 0) {
    throw new Error(`Mistakes in the options of @Crud():\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
  }
}

function warnUnchecked({ definition }: CrudResource): void {
  new Logger('Crud').warn(
    `${definition.controller} cannot be made outside a request, so that the names in its options were not checked against its entity.`,
  );
}

function catalogOfService({ definition, service }: CrudResource, mistakes: string[]): Catalog | undefined {
  try {
    return service?.catalog;
  } catch (error) {
    mistakes.push(`${definition.controller}: its service cannot describe its entity: ${(error as Error).message}`);

    return undefined;
  }
}

/** The catalog of a controller's entity in a started application. */
export function catalogOfStarted(modules: ModulesContainer | undefined, controller: object): Catalog | undefined {
  return modules && states.get(modules)?.catalogs.get(controller);
}

/** The catalog of a controller's entity in an application that may not have started yet: for documents made before the start. */
export function catalogOfMade(modules: ModulesContainer, controller: object): Catalog | undefined {
  return catalogOfStarted(modules, controller) ?? catalogIn(modules, controller);
}
