/** A class and property paths in; out come the paths that class-transformer lets out of instances of it, found by asking it; nothing is refused. */
import type { Type } from '@nestjs/common';
import { classTransformer } from '../nest/optional-peers.js';

interface Probe {
  /** Whether class-transformer read the value at the end of the path: it reads only what it lets out. */
  wasRead: boolean;
}

const known = new WeakMap<object, Map<string, boolean>>();
/** Answers kept per class: options may differ by user without end. */
const MOST_ANSWERS = 10_000;

/**
 * The property paths (`email`, `name.first`) that survive class-transformer's way from instance to plain object: what `@Exclude()`, `@Expose()` with groups, or a
 * class that excludes all but what it exposes leave over. The answer is remembered per class.
 *
 * @param target Class whose decorators count; anything that is no class lets everything out, as does a missing class-transformer.
 * @param options Options of class-transformer; `groups`, `version`, `strategy` … change what survives. Default: none.
 *
 * @example
 * exposedPaths(User, ['id', 'email', 'password']); // Set { 'id', 'email' } where password bears @Exclude()
 */
export function exposedPaths(target: unknown, paths: Iterable<string>, options?: object): ReadonlySet<string> {
  const exposed = new Set<string>();

  for (const path of paths) {
    if (typeof target !== 'function' || isExposed(target as Type<unknown>, path, options)) exposed.add(path);
  }

  return exposed;
}

function isExposed(target: Type<unknown>, path: string, options: object | undefined): boolean {
  if (!classTransformer) return true;

  const answers = known.get(target) ?? new Map<string, boolean>();
  const question = `${path}\n${options ? JSON.stringify(options) : ''}`;
  const answer = answers.get(question) ?? ask(target, path.split('.'), options ?? {});

  if (answers.size >= MOST_ANSWERS) answers.clear();
  answers.set(question, answer);
  known.set(target, answers);

  return answer;
}

function ask(target: Type<unknown>, segments: readonly string[], options: object): boolean {
  const probe: Probe = { wasRead: false };
  const instance = probeAt(target, segments, probe);

  try {
    const plain = classTransformer?.instanceToPlain(instance, options);

    return probe.wasRead && !endsUndefined(plain, segments);
  } catch {
    // A @Transform of the application does not expect a probe; whether the path was let out is known all the same.
    return probe.wasRead;
  }
}

function probeAt(target: Type<unknown> | undefined, [segment = '', ...rest]: readonly string[], probe: Probe): object {
  const instance: object = Object.create((target?.prototype ?? Object.prototype) as object);

  Object.defineProperty(instance, segment, {
    enumerable: true,
    get: () => {
      if (rest.length > 0) return probeAt(declaredClass(target, segment), rest, probe);
      probe.wasRead = true;

      return 'probe';
    },
  });

  return new Proxy(instance, {
    get: (object, name) => (name === segment || isInherent(name) ? (Reflect.get(object, name) as unknown) : ANYTHING),
  });
}

// What class-transformer asks of every object to learn what it is.
function isInherent(name: string | symbol): boolean {
  return typeof name === 'symbol' || name === 'then' || name in Object.prototype;
}

/** Stands for every other property, so that getters and transforms of the application find whatever they look for. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : isInherent(name) ? undefined : ANYTHING),
});

/** The class of an embedded object, as TypeScript's metadata names it; built-in classes say nothing. */
function declaredClass(target: Type<unknown> | undefined, property: string): Type<unknown> | undefined {
  const declared: unknown = target && Reflect.getMetadata('design:type', target.prototype, property);

  return typeof declared === 'function' && ![Object, Array, String, Number, Boolean, Date].includes(declared as never)
    ? (declared as Type<unknown>)
    : undefined;
}

function endsUndefined(plain: unknown, segments: readonly string[]): boolean {
  let value = plain;

  for (const segment of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return false;
    value = (value as Record<string, unknown>)[segment];
  }

  return value === undefined;
}
