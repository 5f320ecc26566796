import { ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import { type Constructor, controllerPaths, listPrototypes, ownMethods } from './metadata.js';

/** A module of an application, as Nest's container has it. */
export type NestModule = ModulesContainer extends Map<string, infer Module> ? Module : never;

// Keys of Nest's decorators, as they have been since its first releases.
const PATH = 'path';
const METHOD = 'method';
const HOST = 'host';
const PARAMETERS = '__routeArguments__';
/** What `@Param()` and `@HostParam()` are in the keys of {@link PARAMETERS}. */
const READING_PARAMETERS = ['5', '10'];

/** The paths before the routes of a controller: global prefix, module path, controller path. */
export function listPaths(metatype: object, module: NestModule, modules: ModulesContainer): readonly string[] {
  const prefix = readGlobalPrefix(module);
  const own = controllerPaths(metatype) ?? [];
  const ofModule = readModulePath(module, modules);

  return own.map((path) => [prefix, ofModule, path].filter(Boolean).join('/'));
}

/** The hosts that `@Controller({ host })` names as texts; a regular expression has no parameters. */
export function listHosts(metatype: object): readonly string[] {
  const hosts = [Reflect.getMetadata(HOST, metatype) as unknown].flat();

  return hosts.filter((host): host is string => typeof host === 'string');
}

/** Names of the parameters of a path: `companies/:companyId` has `companyId`. */
export function listPathParameters(path: string): readonly string[] {
  // What is between parentheses is the pattern of a parameter.
  return [...path.matchAll(/\([^)]*\)?|:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** A method of a controller that has a path. */
export interface PathedMethod {
  readonly method: string;
  readonly handler: (...parameters: never[]) => unknown;
  /** Paths below the controller's. */
  readonly paths: readonly string[];
  /** Nest's number of the HTTP method. */
  readonly http: number;
}

/** The methods of a controller that have a path of their own, those of base classes included. */
export function handlerPaths(target: Constructor): PathedMethod[] {
  const handlers = new Map<string, PathedMethod['handler']>();
  for (const [method, { value }] of listPrototypes(target).flatMap(ownMethods))
    if (!handlers.has(method)) handlers.set(method, value as PathedMethod['handler']);

  return [...handlers].flatMap(([method, handler]) => {
    const path = Reflect.getMetadata(PATH, handler) as string | string[] | undefined;
    if (path === undefined) return [];

    return { method, handler, paths: [path].flat(), http: (Reflect.getMetadata(METHOD, handler) as number) ?? 0 };
  });
}

/** Whether a parameter of a method is a path or host parameter of that name, or all of them. */
export function readsParameter(controller: object, method: string, name: string): boolean {
  const parameters = (Reflect.getMetadata(PARAMETERS, controller, method) ?? {}) as Record<string, { data?: unknown }>;

  return Object.entries(parameters).some(
    ([key, { data }]) =>
      READING_PARAMETERS.includes(key.split(':')[0] as string) && (data === undefined || data === name),
  );
}

// `RouterModule` stores the path of a module as metadata of its class, under a key that ends in the application's id.
function readModulePath(module: NestModule, modules: ModulesContainer): string {
  const metatype = module.metatype as object;
  const { applicationId } = modules;
  const key = Reflect.getMetadataKeys(metatype).find(
    (name: unknown) => typeof name === 'string' && name.startsWith('__module_path__') && name.endsWith(applicationId),
  ) as string | undefined;

  return key === undefined ? '' : String(Reflect.getMetadata(key, metatype));
}

function readGlobalPrefix(module: NestModule): string {
  const config = module.providers.get(ApplicationConfig)?.instance as ApplicationConfig | undefined;

  return config?.getGlobalPrefix() ?? '';
}
