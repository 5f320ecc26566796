/** Reads and copies the metadata of classes, their methods and parameters. */
import 'reflect-metadata';
import { getOrInsert } from '../get-or-insert.js';
import { HttpCode } from '@nestjs/common';
import * as swagger from '@nestjs/swagger';

const PATH = 'path';
const PARAMETER_TYPES = 'design:paramtypes';
const PROPERTY_TYPE = 'design:type';
const INJECTED = 'self:paramtypes';
const OPTIONAL = 'optional:paramtypes';

type Entries = readonly (readonly [key: unknown, value: unknown])[];

/** What reflect-metadata takes as the property of a class or function itself, which its types leave out. */
const ITSELF = undefined as unknown as string;

/** The own metadata of a class or function, or of one of its properties. */
function readEntries(target: object, property = ITSELF): Entries {
  return Reflect.getOwnMetadataKeys(target, property).map((key: unknown) => [
    key,
    Reflect.getOwnMetadata(key, target, property),
  ]);
}

function restore(entries: Entries, target: object, property = ITSELF): void {
  for (const [key] of readEntries(target, property)) Reflect.deleteMetadata(key, target, property);
  for (const [key, value] of entries) Reflect.defineMetadata(key, value, target, property);
}

/** Saves the metadata of a class or function; the returned function restores it. */
export function saveMetadata(target: object): () => void {
  const entries = readEntries(target);

  return () => restore(entries, target);
}

/** A class as its author wrote it: its methods and their metadata. */
export interface ControllerSnapshot {
  readonly target: Constructor;
  readonly methods: ReadonlyMap<string, MethodSnapshot>;
}

interface MethodSnapshot {
  readonly descriptor: PropertyDescriptor;
  readonly metadata: readonly Entries[];
}

/** Any class; a controller's constructor takes what it likes. */
export type Constructor = (abstract new (...args: never[]) => object) & { readonly prototype: object };

// The metadata that the author of a method gave it, without what the library has added.
const authored = new WeakMap<object, Entries>();
const authoredNames = new WeakMap<object, ReadonlySet<string>>();

/** The holders of a method's metadata: its function, its class and its prototype. */
function listHolders(target: Constructor, name: string): readonly (readonly [holder: object, property?: string])[] {
  const method = (target.prototype as Record<string, object>)[name] as object;

  return [[method], [target, name], [target.prototype, name]];
}

function readMetadata(target: Constructor, name: string): readonly Entries[] {
  return listHolders(target, name).map((holder) => readEntries(...holder));
}

function writeMetadata(target: Constructor, name: string, metadata: readonly Entries[]): void {
  for (const [index, holder] of listHolders(target, name).entries()) restore(metadata[index] ?? [], ...holder);
}

/** Saves a controller before the library adds anything to it. */
export function takeSnapshot(target: Constructor): ControllerSnapshot {
  const methods = new Map<string, MethodSnapshot>();

  for (const [name, descriptor] of ownMethods(target.prototype)) {
    const method = descriptor.value as object;
    if (!authored.has(method)) authored.set(method, readEntries(method));

    methods.set(name, { descriptor, metadata: readMetadata(target, name) });
  }
  authoredNames.set(target, new Set(methods.keys()));

  return { target, methods };
}

/** Undoes everything that was added to a controller's methods since the snapshot. */
export function restoreSnapshot({ target, methods }: ControllerSnapshot): void {
  for (const [name] of ownMethods(target.prototype)) {
    if (methods.has(name)) continue;
    writeMetadata(target, name, []);
    delete (target.prototype as Record<string, unknown>)[name];
  }

  for (const [name, { descriptor, metadata }] of methods) {
    Object.defineProperty(target.prototype, name, descriptor);
    writeMetadata(target, name, metadata);
  }
}

/** The methods that a prototype itself declares, accessors and the constructor left out. */
export function ownMethods(prototype: object): readonly (readonly [name: string, descriptor: PropertyDescriptor])[] {
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor] as const)
    .filter(([, descriptor]) => typeof descriptor.value === 'function');
}

/** An object and its prototypes, `Object.prototype` left out. */
export function prototypeChain(start: object): object[] {
  const chain: object[] = [];

  for (
    let object: object | null = start;
    object && object !== Object.prototype;
    object = Object.getPrototypeOf(object) as object | null
  )
    chain.push(object);

  return chain;
}

/** The prototypes of a class and of its base classes, its own first. */
export function listPrototypes(target: Constructor): object[] {
  return prototypeChain(target.prototype);
}

/** A class and its base classes, itself first; nothing for what is no class. */
export function listClassChain(target: object): object[] {
  return prototypeChain(target).filter((type) => typeof type === 'function' && type !== Function.prototype);
}

/** Names of the methods that the author of a controller wrote; the library's own are not among them. */
export function authoredMethods(target: object): ReadonlySet<string> {
  return authoredNames.get(target) ?? new Set();
}

/** Copies the author's metadata of one function to another that has none. */
export function copyHandlerMetadata(from: object, to: object): void {
  restore(authored.get(from) ?? readEntries(from), to);
}

/** Adds a method that calls another one, with all metadata of that method and its parameters. */
export function aliasMethod(target: Constructor, name: string, alias: string): object {
  const prototype = target.prototype as Record<string, (...parameters: unknown[]) => unknown>;
  const made = function (this: typeof prototype, ...parameters: unknown[]): unknown {
    return this[name]!(...parameters);
  };
  Object.defineProperty(made, 'name', { value: alias });
  Object.defineProperty(prototype, alias, { value: made, writable: true, configurable: true, enumerable: false });
  writeMetadata(target, alias, readMetadata(target, name));

  return made;
}

/**
 * Merges the metadata of one function under that of another: lists (guards, interceptors, pipes) come first, objects
 * are filled up, and any other value that is there already wins.
 */
export function inheritMetadata(from: object, to: object): void {
  for (const [key, inherited] of readEntries(from)) {
    const own: unknown = Reflect.getOwnMetadata(key, to);

    Reflect.defineMetadata(key, own === undefined ? inherited : combined(inherited, own), to);
  }
}

function combined(inherited: unknown, own: unknown): unknown {
  if (Array.isArray(inherited) && Array.isArray(own))
    return [...(inherited as unknown[]).filter((item) => !own.includes(item)), ...(own as unknown[])];

  if (isObjectLiteral(inherited) && isObjectLiteral(own)) return { ...inherited, ...own };

  return own;
}

function isObjectLiteral(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

// Types that were hidden, by prototype and method: a subclass is decorated after its base class has been.
const hidden = new WeakMap<object, Map<string, readonly unknown[]>>();

/** Class of a method's parameter as the compiler emitted it; `undefined` if it emitted none. */
export function parameterType(prototype: object, method: string, index: number): unknown {
  return parameterTypes(prototype, method)?.[index];
}

function parameterTypes(prototype: object, method: string): readonly unknown[] | undefined {
  for (const owner of prototypeChain(prototype)) {
    const types =
      hidden.get(owner)?.get(method) ??
      (Reflect.getOwnMetadata(PARAMETER_TYPES, owner, method) as unknown[] | undefined);

    if (types) return types;
  }

  return undefined;
}

/** Hides the class of a parameter from pipes of the application, which would validate it a second time. */
export function hideParameterType(prototype: object, method: string, index: number): void {
  const types = parameterTypes(prototype, method);
  if (!types) return;

  const shown = types.map((type, at) => (at === index ? Object : type));
  Reflect.defineMetadata(PARAMETER_TYPES, shown, prototype, method);
  getOrInsert(hidden, prototype, () => new Map<string, readonly unknown[]>()).set(method, types);
}

/** Classes of a constructor's parameters. */
export function constructorTypes(target: object): readonly unknown[] {
  return (Reflect.getMetadata(PARAMETER_TYPES, target) as unknown[] | undefined) ?? [];
}

/**
 * The number, from 1, of the first parameter of a constructor that has neither a class nor an `@Inject()` or `@Optional()`: compilers emit
 * `undefined` or `Object` for what is not there yet.
 */
export function findLostParameter(target: object): number | undefined {
  const injected = (Reflect.getMetadata(INJECTED, target) ?? []) as { readonly index: number }[];
  const optional = (Reflect.getMetadata(OPTIONAL, target) ?? []) as number[];
  const known = [...injected.map(({ index }) => index), ...optional];
  const at = constructorTypes(target).findIndex(
    (type, index) => (type === undefined || type === Object) && !known.includes(index),
  );

  return at === -1 ? undefined : at + 1;
}

/** Whether a property of a class has a decorator, which makes the compiler emit its type. */
export function hasDecoratedProperty(prototype: object, property: string): boolean {
  return propertyType(prototype, property) !== undefined;
}

/** Class of a property as the compiler emitted it; `undefined` if it emitted none. */
export function propertyType(prototype: object, property: string): unknown {
  return Reflect.getMetadata(PROPERTY_TYPE, prototype, property);
}

/** The first path that `@Controller()` has given to this very class so far. */
export function ownControllerPath(target: object): string | undefined {
  const path = Reflect.getOwnMetadata(PATH, target) as string | string[] | undefined;

  return path === undefined ? undefined : [path].flat()[0];
}

/** The paths that `@Controller()` gives to a class; `undefined` if there is no `@Controller()`. */
export function controllerPaths(target: object): readonly string[] | undefined {
  const path = Reflect.getMetadata(PATH, target) as string | string[] | undefined;

  return path === undefined ? undefined : [path].flat();
}

// The keys of what decorators of @nestjs/swagger and Nest define are found by applying the decorators to a probe.

const DECORATORS = {
  operation: () => swagger.ApiOperation({}),
  parameters: () => swagger.ApiQuery({ name: 'probe' }),
  responses: () => swagger.ApiResponse({ status: 200 }),
  extraModels: () => swagger.ApiExtraModels(),
  consumes: () => swagger.ApiConsumes(),
  produces: () => swagger.ApiProduces(),
  httpCode: () => HttpCode(200),
} as const satisfies Record<string, () => MethodDecorator>;

/** Static method in which the CLI plugin of @nestjs/swagger, and mapped types, store what they know of a class. */
export const PLUGIN = '_OPENAPI_METADATA_FACTORY';

/** A kind of metadata on a handler. */
export type HandlerMetadata = keyof typeof DECORATORS;

const keys = new Map<HandlerMetadata, unknown>();

/** Key of the metadata on a handler, or on a class for decorators that take both. */
export function metadataKey(kind: HandlerMetadata): unknown {
  return getOrInsert(keys, kind, () => probe(DECORATORS[kind]()));
}

function probe(decorate: MethodDecorator): unknown {
  const handler = (): void => undefined;

  decorate({}, 'probe', { value: handler });

  return Reflect.getMetadataKeys(handler)[0];
}

interface PropertyKeys {
  /** On the prototype: names of the properties. */
  readonly list: unknown;
  /** On each property of the prototype: its description. */
  readonly one: unknown;
}

let known: PropertyKeys | undefined;

/** Keys of the metadata of `@ApiProperty()`. */
export function propertyKeys(): PropertyKeys {
  if (known) return known;

  const prototype = {};
  swagger.ApiProperty({ type: String })(prototype, 'probe');
  known = { list: Reflect.getMetadataKeys(prototype)[0], one: Reflect.getMetadataKeys(prototype, 'probe')[0] };

  return known;
}
