/** Options of `query` that a service or its data source cannot carry out, which stop the start. */
import type { QueryOptions } from '@nestwright/crud';
import type { ObjectLiteral, Repository } from 'typeorm';
import { catalogOf } from './catalog/catalog.js';
import { dialectOf } from './dialect/dialect-of.js';

/**
 * What is wrong with the options.
 *
 * @param service.readsItself Whether the service overrides how lists are read.
 */
export function queryMistakes<T extends ObjectLiteral>(
  query: QueryOptions,
  repository: Repository<T>,
  { readsItself }: { readonly readsItself: boolean },
): string[] {
  const { connection } = repository.manager;
  const catalog = catalogOf(repository.metadata);
  const isCached = typeof query.cache === 'number' && query.cache > 0;
  const mistakes: string[] = [];

  if (query.cursor && readsItself)
    mistakes.push(
      'query.cursor is true, but the service overrides createBuilder or doGetMany, whose lists have no cursors',
    );
  if (query.export && readsItself)
    mistakes.push(
      'query.export is set, but the service overrides createBuilder or doGetMany, whose lists cannot be read part by part',
    );
  if (query.export && dialectOf(connection).sharedConnection && catalog.primary.length === 0)
    mistakes.push(
      `query.export is set, but ${catalog.model} has no primary key, without which its records cannot be read part by part on a connection that all share`,
    );
  if (isCached && !connection.queryResultCache)
    mistakes.push(`query.cache is ${String(query.cache)}, but the data source has no cache: set its option \`cache\``);

  return mistakes;
}
