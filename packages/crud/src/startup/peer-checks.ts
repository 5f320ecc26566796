/** Checks that other packages are there, and are the copies that the application uses. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { PartialType } from '@nestjs/swagger';
import { Exclude, instanceToPlain, plainToInstance } from 'class-transformer';
import { Allow } from 'class-validator';
import { isStandardSchema } from '../definition/standard-schema.js';
import { listClassChain } from '../nest/metadata.js';
import { decoratorStorage } from '../serialization/class-transformer.js';
import type { CrudResource } from './find-resources.js';

/** Where modules were loaded from. */
interface LoadedFrom {
  /** The file of class-transformer that this library has; undefined in a bundle. */
  readonly own: string | undefined;
  /** The file that the process was started with. */
  readonly entry: string | undefined;
}

// Found once for a process: there are thousands of loaded modules.
let found: LoadedFrom | undefined;

/**
 * Refuses to start if decorators of class-transformer cannot be read, or are kept by another copy of it than the one
 * that is read.
 */
export function* readsDecorators({ own, entry }: LoadedFrom = (found ??= findLoaded())): Generator<string> {
  if (!decoratorStorage()) {
    yield (
      'the decorators of class-transformer cannot be read, so that hidden fields would not be known: install ' +
      'class-transformer 0.5.1, or see docs/bundling.md'
    );
  }
  if (own === undefined) return;

  const nest = resolveModule(entry, '@nestjs/common') ?? resolveModule(own, '@nestjs/common');
  for (const [name, file] of Object.entries({ 'the application': entry, '@nestjs/common': nest })) {
    const other = resolveModule(file, 'class-transformer');
    if (other !== undefined && other !== own) {
      yield (
        'class-transformer is installed twice, and the decorators of one copy are unknown to the other: ' +
        `@nestwright/crud loads ${own}, ${name} loads ${other}. Install one copy`
      );
    }
  }
}

/** The oldest versions that the packages support, as their manifests say. */
export const OLDEST_PEERS: Readonly<Record<string, string>> = {
  '@nestjs/common': '11.0.0',
  '@nestjs/core': '11.0.0',
  '@nestjs/event-emitter': '3.0.0',
  '@nestjs/swagger': '11.0.0',
  '@nestjs/typeorm': '11.0.0',
  'class-transformer': '0.5.1',
  'class-validator': '0.14.0',
  'drizzle-orm': '0.45.0',
  'reflect-metadata': '0.2.0',
  rxjs: '7.8.0',
  typeorm: '0.3.20',
};

/** Peers of adapters: an application may have an old one for something else, and another adapter. */
const ADAPTERS: Readonly<Record<string, string>> = {
  '@nestjs/typeorm': '@nestwright/crud-typeorm',
  typeorm: '@nestwright/crud-typeorm',
  'drizzle-orm': '@nestwright/crud-drizzle',
};

/** Refuses to start with an older version of a peer: npm warns of it, and `--force` and other package managers do not. */
export function* supportsPeers(entry: string | undefined = (found ??= findLoaded()).entry): Generator<string> {
  for (const [name, oldest] of entry === undefined ? [] : Object.entries(OLDEST_PEERS)) {
    const adapter = ADAPTERS[name];
    if (adapter !== undefined && findVersion(entry!, adapter) === undefined) continue;

    const version = findVersion(entry!, name);
    if (version !== undefined && version.localeCompare(oldest, 'en', { numeric: true }) < 0)
      yield `${name} is ${version}, but must be ${oldest} or newer: npm install ${name}@latest`;
  }
}

/** The version of a package that a file would load. Manifests are read from disk, since not every package exports its own. */
function findVersion(file: string, name: string): string | undefined {
  const folders = makeRequire(file).resolve.paths(name)!;
  const manifest = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path));

  return manifest === undefined
    ? undefined
    : (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version;
}

function findLoaded(): LoadedFrom {
  const { cache } = makeRequire(process.execPath);
  const [, entry] = process.argv;
  // A tool that starts the application is not a part of it.
  const isTool = entry === undefined || !isAbsolute(entry) || entry.includes(`${sep}node_modules${sep}`);

  return {
    own: Object.keys(cache).find(
      (path) => path.endsWith(ENTRY_OF_CLASS_TRANSFORMER) && isClassTransformer(cache[path]),
    ),
    entry: isTool ? undefined : entry,
  };
}

const ENTRY_OF_CLASS_TRANSFORMER = join('class-transformer', 'cjs', 'index.js');

function isClassTransformer(module: NodeJS.Module | undefined): boolean {
  return (module?.exports as { plainToInstance?: unknown } | undefined)?.plainToInstance === plainToInstance;
}

function resolveModule(file: string | undefined, name: string): string | undefined {
  try {
    return file === undefined ? undefined : realpathSync(makeRequire(file).resolve(name));
  } catch {
    return undefined;
  }
}

/** The `require` of a file. An imported `createRequire` would be replaced by webpack, with `undefined`. */
function makeRequire(file: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(file);
}

/** Names of mapped types; these survive minification. */
const MAPPED_NAME = /^(?:DeepPartial|Partial|Pick|Omit|Intersection)./;

const LOST = {
  'class-validator': 'the rules of class-validator, so that bodies would not be checked',
  'class-transformer': 'the decorators of class-transformer, so that @Exclude() would hide nothing',
};

type Peer = keyof typeof LOST;

let lost: readonly Peer[] | undefined;

/**
 * Mapped types of @nestjs/swagger inherit what decorators say, or the start is refused: in a bundle,
 * @nestjs/mapped-types may not find class-validator, or find another copy of class-transformer.
 */
export function* inheritsByMappedTypes({ definition }: CrudResource): Generator<string> {
  const { model, dto, serialize, validation } = definition;
  const bodies = [model, dto.create, dto.update, dto.replace];

  for (const type of new Set<unknown>([...bodies, ...Object.values(serialize)])) {
    const mapped = typeof type === 'function' && !isStandardSchema(type) ? findMappedType(type) : undefined;
    if (!mapped) continue;

    for (const peer of (lost ??= lostByMappedTypes())) {
      const isAsked = validation !== false && bodies.includes(type as typeof model) && !hasRules(mapped);
      if (peer === 'class-validator' && !isAsked) continue;

      yield (
        `${(type as { name: string }).name} is a mapped type (${mapped.name}), but mapped types of ` +
        `@nestjs/swagger do not inherit ${LOST[peer]}: bundle @nestjs/mapped-types with the same ${peer} as ` +
        'the application (docs/bundling.md#mapped-types)'
      );
    }
  }
}

/** The mapped type itself, at the root of the classes that extend it. */
function findMappedType(type: { readonly name: string }): { readonly name: string } | undefined {
  const root = listClassChain(type).at(-1) as { readonly name: string };

  return MAPPED_NAME.test(root.name) ? root : undefined;
}

function lostByMappedTypes(): Peer[] {
  class Probe {}
  Allow()(Probe.prototype, 'probed');
  Exclude()(Probe.prototype, 'probed');
  const Mapped = PartialType(Probe);

  const inherited: Record<Peer, boolean> = {
    'class-validator': hasRules(Mapped),
    'class-transformer': !('probed' in instanceToPlain(Object.assign(new Mapped(), { probed: 1 }))),
  };

  return (Object.keys(inherited) as Peer[]).filter((peer) => !inherited[peer]);
}

/** class-validator stores all rules on `globalThis`, whichever copy of it the decorators come from. */
interface GlobalStorage {
  classValidatorMetadataStorage?: {
    getTargetValidationMetadatas(type: unknown, schema: string, always: boolean, strict: boolean): readonly unknown[];
  };
}

/** Whether class-validator knows rules of a class. */
function hasRules(type: unknown): boolean {
  const storage = (globalThis as GlobalStorage).classValidatorMetadataStorage;

  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
