/** Calls of a resource, typed by its entity and by what each query asks for. */
import { makeCalls } from './calls.js';
import type { ClientOptions, CrudClient, RouteName } from './client.types.js';
import { makeQueries } from './tanstack.js';

/** What the compiler knows of a resource by its options. */
type ResourceOf<O extends ClientOptions> = {
  readonly key: O['key'] extends string ? O['key'] : 'id';
  readonly hidden: O['hidden'] extends readonly (infer Name)[] ? Name : never;
  readonly conflict: O['onConflict'] extends readonly (infer Name)[] ? Name : never;
};

type RoutesOf<O extends ClientOptions> = O['routes'] extends readonly (infer Name extends RouteName)[]
  ? Name
  : RouteName;

/** `onConflict` is about creations, so there must be some. */
type Sensible<O extends ClientOptions> =
  Extract<RoutesOf<O>, 'create' | 'createMany'> extends never ? { readonly onConflict?: never } : unknown;

/**
 * A client of one resource. It is called twice, so that the compiler is told the entity and finds the options itself.
 *
 * @param path The path of the resource: `/tasks`, or `/projects/7/tasks`.
 * @example
 * const tasks = crudClient<Task>()('/tasks', { hidden: ['secret'] });
 * const open = await tasks.getMany((query) => query.select(['id', 'title']).join('project', ['name']));
 * // { id: number; title: string; project: { id: number; name: string } | null }[]
 */
// Without an entity, anything goes.
export function crudClient<T extends object = any>(): <const O extends ClientOptions<T> = object>(
  path: string,
  options?: O & Sensible<O>,
) => CrudClient<T, ResourceOf<O>, RoutesOf<O>> {
  return (path, options) => {
    const made = makeCalls(path, (options ?? {}) as ClientOptions);

    return { ...made.calls, ...makeQueries(path, made) } as never;
  };
}
