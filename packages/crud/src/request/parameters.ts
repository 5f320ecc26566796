/** Which query parameters a route reads. Other parameters are ignored, not checked. */
import { Logger } from '@nestjs/common';
import { type ParameterName, QUERY_PARAMETERS } from '@nestwright/crud-request';
import { findNearName } from '../definition/wording.js';
import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert, oncePerPair } from '../get-or-insert.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';

const CURSOR: readonly ParameterName[] = ['cursor', 'total'];

/**
 * Lists the parameters that a route reads; a handler of the application's own, which has no route name, reads all.
 *
 * @param byCondition Whether the route writes all records that a condition matches. Parameters for a part of them are
 * read to be refused.
 */
export function listParameters(
  route: BaseRouteName | undefined,
  { softDelete, cursor, export: exports }: Pick<QueryOptions, 'softDelete' | 'cursor' | 'export'>,
  byCondition: boolean,
): ReadonlySet<ParameterName> {
  const isList = route === undefined || route === 'getManyBase';
  const parameters = new Set(ROUTES[route === undefined || byCondition ? 'getManyBase' : route].parameters);
  if (isList && cursor) for (const name of CURSOR) parameters.add(name);
  if (route === 'getManyBase' && exports) parameters.add('format');
  // Without soft delete it means nothing and is ignored.
  if (softDelete) parameters.add('includeDeleted');

  return parameters;
}

/** Most names that are logged, and remembered, for a resource. */
const MAX_REPORTED = 100;
const reported = new WeakMap<ResourceDefinition, Set<string>>();

/** Names of parameters, as a resource has them. */
interface KnownNames {
  readonly all: ReadonlySet<string>;
  /** What names of `extra` begin with. */
  readonly prefixes: readonly string[];
  /** Those that the route reads. */
  readonly read: readonly string[];
}

const findNames = oncePerPair((definition: ResourceDefinition, parameters: ReadonlySet<ParameterName>): KnownNames => {
  const list = (of: Iterable<ParameterName>): string[] =>
    [...of].flatMap((name) => definition.language.paramNamesMap?.[name] ?? QUERY_PARAMETERS[name].names);

  return {
    all: new Set(list(Object.keys(QUERY_PARAMETERS) as ParameterName[])),
    prefixes: list(['extra']),
    read: list(parameters),
  };
});

/**
 * Logs parameters that are ignored and look like misspelt ones (`fliter`), each once for a resource.
 *
 * @param parameters Those that the route reads.
 */
export function reportMisspeltParameters(
  query: unknown,
  definition: ResourceDefinition,
  parameters: ReadonlySet<ParameterName>,
): void {
  for (const key of Object.keys(query ?? {})) {
    const [name = ''] = key.split('[', 1);
    const { all, prefixes, read } = findNames(definition, parameters);
    if (prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const logged = getOrInsert(reported, definition, () => new Set<string>());
    if (all.has(name) || logged.has(name) || logged.size >= MAX_REPORTED) continue;
    const meant = findNearName(name, read);
    if (meant === undefined) continue;

    logged.add(name);
    new Logger('Crud').warn(
      `${definition.modelName}: a request has the unknown query parameter ${JSON.stringify(name)}, which is ` +
        `ignored. Did the client mean ${meant}?`,
    );
  }
}
