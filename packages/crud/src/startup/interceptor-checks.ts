import { REQUEST_HOOKS } from '../constants.js';
import { getOrInsert } from '../get-or-insert.js';
import type { CrudResource } from './find-resources.js';
import { type Constructor, listClassChain } from '../nest/metadata.js';
import { handlerPaths } from '../nest/paths.js';
import { interceptorsAround } from '../nest/response-observers.js';

type Methods = Readonly<Record<string, unknown>>;

/** An interceptor that parses requests. */
interface Parsing {
  readonly name: string;
  readonly prototype: Methods;
  /** Steps of parsing that it overrides. */
  readonly overridden: readonly string[];
}

/** Reports interceptors with overridden parsing steps that run after the request is parsed. */
export function* callsRequestHooks({ controller }: CrudResource): Generator<string> {
  const target = controller as Constructor;
  const late = new Map<string, { readonly one: Parsing; readonly before: string; readonly handlers: string[] }>();

  for (const { method, handler } of handlerPaths(target)) {
    const [first, ...others] = interceptorsAround(target, handler).flatMap(describeParsing);

    for (const one of others.filter(({ overridden, prototype }) =>
      overridden.some((hook) => prototype[hook] !== first!.prototype[hook]),
    ))
      getOrInsert(late, one.name, () => ({ one, before: first!.name, handlers: [] })).handlers.push(method);
  }

  for (const { one, before, handlers } of late.values())
    yield `${one.name} overrides ${one.overridden.join(', ')}, which is never called on ${handlers.join(', ')}, since ${before} parses the request before: bind ${one.name} before it, or alone`;
}

/** Nothing for an interceptor that parses no requests; it may be given as a class or as an instance. */
function describeParsing(interceptor: unknown): Parsing[] {
  const type = (typeof interceptor === 'function' ? interceptor : (interceptor as object).constructor) as Constructor;
  const base = listClassChain(type).find((owner) => Object.hasOwn(owner, REQUEST_HOOKS));
  if (!base) return [];

  const { prototype, [REQUEST_HOOKS]: hooks } = base as { prototype: Methods; [REQUEST_HOOKS]: readonly string[] };
  const overridden = hooks.filter((hook) => (type.prototype as Methods)[hook] !== prototype[hook]);

  return [{ name: type.name, prototype: type.prototype as Methods, overridden }];
}
