/** The options of class-transformer that one request is answered with, so far as they are understood. */
import { type Audience, decoratorStorage } from '../serialization/decorator-storage.js';

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
export function isAddressed({ groups, since, until }: Audience = {}, options: TransformOptions): boolean {
  const { version } = options;
  if (version !== undefined && ((since && !(version >= since)) || (until && !(version < until)))) return false;

  return options.groups.length > 0
    ? !groups || options.groups.some((group) => groups.includes(group))
    : !groups || groups.length === 0;
}

/**
 * Options that requests may have: none, each group by itself and all together, and each version in which answers differ.
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
