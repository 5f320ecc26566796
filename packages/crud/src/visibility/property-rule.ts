/**
 * What class-transformer makes of one property of an object, as the decorators of a class and the options of a request
 * say.
 */
import type { PathState } from '../plan/column-access.js';
import {
  type Audience,
  type DecoratorStorage,
  decoratorStorage,
  findDecoratedProperties,
  readType,
  TO_PLAIN,
  UNKNOWN_TYPE,
} from '../serialization/class-transformer.js';

export interface PropertyRule {
  readonly state: PathState;
  /** Its name in the answer. */
  readonly name: string;
  /** What `@Type()` has its value taken for; undefined: for what it is. */
  readonly type?: unknown;
  /** Whether a `@Transform()` for answers stands on it, for whomever. */
  readonly isTransformed: boolean;
}

/** A property as a path of options leads to it. */
export interface Property {
  readonly key: string;
  /** Other properties of the object; undefined if nobody knows them. */
  readonly others: (() => readonly string[]) | undefined;
  /** Whether `query.formats` names it. */
  readonly isFormat: boolean;
}

/** The rule of a property in an object that is taken for one of a class: of `Object`, if it is a plain one. */
export function readRule(target: object, property: Property, options: TransformOptions): PropertyRule {
  const { key, others, isFormat } = property;
  const storage = decoratorStorage();
  if (!storage) return { state: 'changed', name: key, isTransformed: false };

  const transforms = storage.findTransformMetadatas(target, key, TO_PLAIN);
  const isTransformed = transforms.length > 0;
  if (isLeftOut(storage, target, key, options)) return { state: 'hidden', name: key, isTransformed };

  const name = nameInAnswer(target, key);
  const type = readType(storage.findTypeMetadata(target, key));
  const isChanged = !isFormat && transforms.some((transform) => isAddressed(transform.options, options));
  const isOverwritten = [...findDecoratedProperties([storage._exposeMetadatas], target)].some(
    (other) => other !== undefined && other !== key && nameInAnswer(target, other) === name,
  );
  // Where one property is renamed to another, either may end up under the name.
  const meetsOther = name !== key && !isLeftOut(storage, target, name, options) && (others?.().includes(name) ?? true);
  const isKept = !isChanged && !isOverwritten && !meetsOther && type !== UNKNOWN_TYPE;

  return { state: isKept ? 'shown' : 'changed', name, isTransformed, ...(type !== UNKNOWN_TYPE && { type }) };
}

/** The name that `@Expose()` gives a property, or its own. */
export function nameInAnswer(target: unknown, key: string): string {
  return (typeof target === 'function' && decoratorStorage()?.findExposeMetadata(target, key)?.options?.name) || key;
}

function isLeftOut(storage: DecoratorStorage, target: object, key: string, options: TransformOptions): boolean {
  if (key === '__proto__' || key === 'constructor') return true;
  if (options.excludePrefixes.some((prefix) => key.startsWith(prefix))) return true;

  const strategy = storage.getStrategy(target);
  const exposesAll = strategy === 'none' ? options.exposesAll : strategy === 'exposeAll';

  return (
    !(exposesAll || isExposed(target, key)) ||
    storage.getExcludedProperties(target, TO_PLAIN).includes(key) ||
    !isAddressed(storage.findExposeMetadata(target, key)?.options, options)
  );
}

/** Whether an `@Expose()` puts a property into answers, also one that a getter computes. */
export function isExposed(target: object, key: string): boolean {
  return decoratorStorage()?.getExposedProperties(target, TO_PLAIN).includes(key) ?? false;
}

/** The options of class-transformer that one request is answered with, so far as they are understood. */
export interface TransformOptions {
  readonly groups: readonly string[];
  readonly version?: number;
  /** Whether objects whose class says nothing about it show what has no decorator. */
  readonly exposesAll: boolean;
  readonly excludePrefixes: readonly string[];
  /** Whether nothing else was asked of class-transformer: then what answers show is known. */
  readonly areUnderstood: boolean;
}

/** Options that change no value. */
const HARMLESS = ['exposeUnsetFields', 'exposeDefaultValues', 'enableCircularCheck'];

export function readOptions(options: object = {}): TransformOptions {
  const { groups, version, strategy, excludePrefixes, ...others } = options as Record<string, unknown>;
  const areLists = [groups, excludePrefixes].every((list) => !list || Array.isArray(list));
  const unknown = Object.entries(others).filter(([name, value]) => Boolean(value) && !HARMLESS.includes(name));

  return {
    groups: Array.isArray(groups) ? (groups as string[]) : [],
    ...(version !== undefined && { version: version as number }),
    exposesAll: (strategy || 'exposeAll') === 'exposeAll',
    excludePrefixes: Array.isArray(excludePrefixes) ? (excludePrefixes as string[]) : [],
    areUnderstood: areLists && unknown.length === 0,
  };
}

/** Whether a decorator holds for a request; without groups, only one without groups does. */
function isAddressed({ groups, since, until }: Audience = {}, options: TransformOptions): boolean {
  const { version } = options;
  if (version !== undefined && ((since && !(version >= since)) || (until && !(version < until)))) return false;

  return options.groups.length > 0
    ? !groups || options.groups.some((group) => groups.includes(group))
    : !groups || groups.length === 0;
}

/**
 * Options that requests may have: none, each group by itself and all together, and each version in which answers
 * differ.
 */
export function possibleOptions(): readonly object[] {
  const audiences = allAudiences();
  const groups = [...new Set(audiences.flatMap((audience) => audience.groups ?? []))];
  const bounds = [...new Set(audiences.flatMap(({ since, until }) => [since, until]))].filter((bound) => bound);
  const byGroups = [undefined, ...(groups.length > 1 ? [groups] : []), ...groups.map((group) => [group])];
  const versions = [undefined, ...(bounds.length > 0 ? [Number.MIN_SAFE_INTEGER, ...bounds] : [])];

  return versions.flatMap((version) => byGroups.map((some) => ({ version, groups: some })));
}

function allAudiences(): Audience[] {
  const { _exposeMetadatas: exposed, _transformMetadatas: transforms } = decoratorStorage() ?? {};
  const ofClasses = [...(exposed?.values() ?? []), ...(transforms?.values() ?? [])];

  return ofClasses.flatMap((byProperty) =>
    [...byProperty.values()].flat().flatMap(({ options }) => (options ? [options] : [])),
  );
}
