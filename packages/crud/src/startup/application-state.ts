/** State of an application: checked once at the start, then read by every request. */
import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { freezeDefinition, globalConfig, markRead } from '../definition/global-config.js';
import { globalMistakes } from '../definition/option-mistakes.js';
import type { Catalog } from '../plan/catalog.js';
import { catalogFor } from '../plan/changed-options.js';
import { findCatalog, listControllerClasses, type CrudResource, readLabel, findResources } from './find-resources.js';
import { readsDecorators, supportsPeers } from './peer-checks.js';
import { type Described, startupMistakes } from './resource-checks.js';
import { undeclaredColumns, warnAfterChecks, warnBeforeChecks } from './warnings.js';
import { type ChangeEmitter, registerTransactionHost, setEmitter, type TransactionHost } from '../service/change.js';
import { isCrudService } from '../service/crud.service.js';
import { isObject } from '../definition/plain-objects.js';
import { linkTo } from '../definition/wording.js';

interface ApplicationState {
  /** By controller; undefined if its service describes none. */
  readonly catalogs: Map<object, Catalog | undefined>;
  started?: Promise<void>;
}

// By application, since a process may run several; weak, so that closed applications are released.
const states = new WeakMap<ModulesContainer, ApplicationState>();

// The application that a controller was last seen in, for interceptors that were made by hand and know of none.
const applications = new WeakMap<object, ModulesContainer>();

/** Registers an application before it starts. */
export function registerApplication(modules: ModulesContainer): void {
  if (states.has(modules)) return;

  states.set(modules, { catalogs: new Map() });
  for (const controller of listControllerClasses(modules)) {
    markRead(controller);
    applications.set(controller, modules);
  }
}

/**
 * Checks the options of all resources of an application, once. Mistakes end the start with an error that lists them
 * all.
 */
export function startApplication(modules: ModulesContainer): Promise<void> {
  registerApplication(modules);
  const state = states.get(modules) as ApplicationState;

  return (state.started ??= start(modules, state));
}

const logger = new Logger('Crud');

async function start(modules: ModulesContainer, { catalogs }: ApplicationState): Promise<void> {
  // Any other mistake may follow from the version of a peer.
  refuse([...supportsPeers()]);

  const resources = await findResources(modules);
  const mistakes = [...globalMistakes(globalConfig()), ...connectServices(modules)].map(
    (mistake) => `the global configuration: ${mistake}`,
  );
  if (resources.length > 0) mistakes.push(...readsDecorators());

  for (const resource of resources) {
    freezeDefinition(resource.controller);
    const described = describe(resource);
    const { catalog } = described;
    catalogs.set(resource.controller, catalog);
    mistakes.push(...(await startupMistakes(resource, described)));
    for (const warning of warnBeforeChecks(resource, catalog)) logger.warn(warning);
  }

  refuse(mistakes);

  if (needsSecret(resources)) {
    logger.warn(
      'query.etag is true, and no etagSecret is set: If-Match with a tag from another process, or from ' +
        'before a restart, is a 412. CrudModule.forRoot({ etagSecret }) sets one for all processes.',
    );
  }

  for (const resource of resources) {
    const catalog = catalogs.get(resource.controller);
    for (const warning of warnAfterChecks(resource, catalog)) logger.warn(warning);
    const text = catalog && undeclaredColumns(resource.definition, catalog);
    if (text !== undefined) logger.log(`${readLabel(resource)}: ${text}`);
  }
}

function refuse(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;

  throw new Error(
    `Mistakes in the options of @Crud() (${linkTo('startup-errors.md')}):\n` +
      mistakes.map((mistake) => `  - ${mistake}`).join('\n'),
  );
}

/**
 * Whether tags of records are in use in production, where several processes are the rule, with a secret of the process.
 */
function needsSecret(resources: readonly CrudResource[]): boolean {
  return (
    process.env['NODE_ENV'] === 'production' &&
    globalConfig().etagSecret === undefined &&
    resources.some(({ definition }) => definition.options.query.etag)
  );
}

function describe({ service, definition }: CrudResource): Described {
  try {
    return { catalog: service && catalogFor(service, definition) };
  } catch (error) {
    return { failure: `its service cannot describe its entity: ${(error as Error).message}` };
  }
}

/** The catalog of a controller's entity in a started application. */
export function findStartedCatalog(modules: ModulesContainer | undefined, controller: object): Catalog | undefined {
  const application = modules ?? applications.get(controller);

  return application && states.get(application)?.catalogs.get(controller);
}

/**
 * The catalog of a controller's entity in an application that may not have started yet: for documents made before the
 * start.
 */
export function catalogBeforeStart(modules: ModulesContainer, controller: object): Catalog | undefined {
  return findStartedCatalog(modules, controller) ?? findCatalog(modules, controller);
}

/** Connects the services of an application with its event emitter and transaction hosts; returns what is missing. */
function connectServices(modules: ModulesContainer): readonly string[] {
  const providers = listProviders(modules);
  for (const { instance } of providers) if (isTransactionHost(instance)) registerTransactionHost(instance);
  if (globalConfig().events !== true) return [];

  const emitter = providers.map(({ instance }) => instance).find(isEmitter);
  if (!emitter) {
    return [
      'events is true, but the application has no EventEmitter2: install @nestjs/event-emitter and put ' +
        'EventEmitterModule.forRoot() into the imports of its root module',
    ];
  }

  for (const { type, instance } of providers) {
    if (type && isCrudService(type)) setEmitter(type, emitter);
    if (isService(instance)) setEmitter(instance, emitter);
  }

  return [];
}

/** The providers of an application, of all modules: their classes, and their instances outside of requests. */
function listProviders(modules: ModulesContainer) {
  return [...modules.values()].flatMap((module) =>
    [...module.providers.values()].map(({ metatype, instance }) => ({
      type: typeof metatype === 'function' ? metatype : undefined,
      instance: isObject(instance) ? instance : undefined,
    })),
  );
}

// Recognized by their methods: the application may have its own copy of either package.
function isEmitter(instance: object | undefined): instance is ChangeEmitter & object {
  return has(instance, ['emitAsync', 'prependAny']);
}

function isTransactionHost(instance: object | undefined): instance is TransactionHost & object {
  return has(instance, ['isTransactionActive', 'withTransaction']);
}

/** Whether an object has some methods. A proxy of the application's may throw for every name outside a request. */
function has(instance: object | undefined, methods: readonly string[]): boolean {
  try {
    return methods.every((name) => typeof (instance as Record<string, unknown> | undefined)?.[name] === 'function');
  } catch {
    return false;
  }
}

function isService(instance: object | undefined): instance is object {
  try {
    return instance !== undefined && isCrudService(instance.constructor);
  } catch {
    return false;
  }
}
