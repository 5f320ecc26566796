/** What data providers of admin frameworks have in common: a client for each resource, by its name. */
import { crudClient } from './client.js';
import type { ClientOptions, CrudClient } from './client.types.js';
import { CrudError } from './errors.js';
import type { AnyQuery, CallOptions, Id, UsualResource } from './resource.types.js';

/** What a name alone does not say of a resource. */
export interface ResourceSettings {
  /** Its path. Default: its name, behind a slash. */
  readonly path?: string;
  /** Name of the property whose value stands in paths. Default: `id`. */
  readonly key?: string;
}

/** Options of the clients of an API. */
export interface NamedResourcesOptions extends Omit<ClientOptions, 'key' | 'hidden' | 'routes' | 'onConflict'> {
  /** Resources of which the name does not say all. Default: none. */
  readonly resources?: Readonly<Record<string, ResourceSettings>>;
}

/** What a screen may say in `meta`, beside what its framework says itself. */
export interface CrudMeta {
  /** Joined relations, each with all or some of its fields: `['comments.author', 'project||key,name']`. Default: none. */
  readonly join?: readonly string[];
  /** Selected fields. Default: all. */
  readonly fields?: readonly string[];
  /** Whether a list is read by cursors, for lists without an end. Default: it has numbered pages and a total. */
  readonly cursor?: boolean;
  /** Whether soft-deleted records are read, too. Default: they are not. */
  readonly includeDeleted?: boolean;
}

/** A record of any resource. */
// Whatever its columns are.
type Row = any;

/** A query on any resource. */
// Whatever its columns are.
export type ResourceQuery = AnyQuery<any>;

/** A resource whose key may have any name. */
export interface KeyedResource extends Omit<UsualResource, 'key'> {
  /** Its name. */
  readonly key: string;
}

/** One resource of an API. */
export interface NamedResource {
  /** Its calls. */
  readonly client: CrudClient<any, KeyedResource>;
  /** Name of its key. */
  readonly key: string;
  /** Gives a record the property `id`, whatever its key is called. */
  identify(row: Row): Row;
  /**
   * Reads records by their keys, some in one request, more in several.
   *
   * @param meta What is read of each. Default: all columns.
   */
  readByKeys(keys: readonly Id[], meta?: CrudMeta, options?: CallOptions): Promise<Row[]>;
  /** Identifies a record that was read or written by itself, and takes note of it: a write of it will send its tag. */
  keep(row: Row): Row;
  /**
   * What is written: a record as it was read, so that nobody overwrites what others have changed since; or its key.
   *
   * @param previous The record as the application has it, often a copy. Default: as it was read last.
   */
  target(id: Id, previous?: object): any;
}

/** How many records are kept, each as it was read lately. */
const MOST_RECORDS = 500;
const MOST_READS = 4;
/** How many records are asked for by their keys in one request. */
const KEYS_PER_REQUEST = 100;

/**
 * The clients of an API, by the names of its resources.
 *
 * @example
 * const resources = nameResources({ baseUrl: 'https://api.example.com', resources: { settings: { key: 'key' } } });
 * await resources('tasks').client.getMany();
 */
export function nameResources({ resources, ...options }: NamedResourcesOptions): (name: string) => NamedResource {
  const known = new Map<string, NamedResource>();

  return (name) => {
    const resource = known.get(name) ?? makeResource(name, resources?.[name] ?? {}, options);
    known.set(name, resource);

    return resource;
  };
}

function makeResource(
  name: string,
  { path = `/${name}`, key = 'id' }: ResourceSettings,
  options: ClientOptions,
): NamedResource {
  const kept = new Map<string, Row[]>();
  const client = crudClient()(path, { ...options, key });
  const identify = (row: Row): Row => (key === 'id' ? row : Object.assign(row, { id: row[key] }));

  return {
    client,
    key,
    identify,
    async readByKeys(keys, meta, call) {
      const parts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_REQUEST) }, (_, part) =>
        keys.slice(part * KEYS_PER_REQUEST, (part + 1) * KEYS_PER_REQUEST),
      );
      const rows = await Promise.all(
        parts.map((part) =>
          client.getMany((query) => readAs(query, meta).setFilter([key, '$in', part]).setLimit(part.length), call),
        ),
      );

      return rows.flat().map(identify);
    },
    keep(row: Row): Row {
      const id = String(row[key]);
      const reads = [row, ...(kept.get(id) ?? [])].slice(0, MOST_READS);
      kept.delete(id);
      kept.set(id, reads);
      if (kept.size > MOST_RECORDS) kept.delete(kept.keys().next().value!);

      return identify(row);
    },
    target(id: Id, previous?: object) {
      const reads = kept.get(String(id)) ?? [];
      const read = previous ? reads.find((one) => isSame(one, previous)) : reads[0];

      if (read || !previous) return read ?? id;

      // A record as a conflict has brought it has its tag, which a copy has not.
      return key in previous ? previous : { ...previous, [key]: id };
    },
  };
}

/** Says in a query what is read of each record. */
export function readAs(query: ResourceQuery, { fields, join = [], includeDeleted }: CrudMeta = {}): ResourceQuery {
  for (const relation of join) {
    const [path, some] = relation.split('||') as [string, string?];
    query.join(path, some?.split(','));
  }
  if (includeDeleted) query.setIncludeDeleted(1);

  return fields ? query.select(fields) : query;
}

/** Whether two values are the same in JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Texts by the property that is to blame, as forms show them.
 *
 * @example
 * errorsByField(error); // { title: 'must be a string' }
 */
export function errorsByField({ status, code, messages, field, message }: CrudError): Record<string, string> {
  // Other refusals, as that of a stale record, are about no input of a form.
  if (status !== 400 && !/UNIQUE|FOREIGN_KEY/.test(String(code))) return {};

  const texts = messages.map((text) => /^(?:bulk\.\d+\.)?(\S+) (.+)$/s.exec(text));
  // Of a single text, the first word may be any.
  if (field && messages.length < 2) return { [field]: texts[0]?.[1] === field ? texts[0][2]! : message };

  return messages.length < 2 ? {} : Object.fromEntries(texts.flatMap((text) => (text ? [[text[1], text[2]]] : [])));
}

/**
 * The methods of a data provider, whose errors have what its framework reads of them.
 *
 * @param tell What is added to an error.
 * @example
 * tellErrors(provider, (error) => ({ statusCode: error.status }));
 */
export function tellErrors<Provider extends object>(provider: Provider, tell: (error: CrudError) => object): Provider {
  const told = (error: unknown): never => {
    throw error instanceof CrudError ? Object.assign(error, tell(error)) : error;
  };
  const telling =
    (method: (...parameters: unknown[]) => unknown) =>
    (...parameters: unknown[]) => {
      const answer = method(...parameters);

      return answer instanceof Promise ? answer.catch(told) : answer;
    };

  return Object.fromEntries(
    Object.entries(provider).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === 'function' ? telling(member as never) : member,
    ]),
  ) as Provider;
}

/**
 * The positions of lists that are read by cursor, for frameworks that count pages: the one after a page is known once
 * that page was read.
 *
 * @example
 * const positions = countPages();
 * positions('tasks?status=done').get(1); // '': the first page
 */
export function countPages(): (list: string) => Map<number, string> {
  const lists = new Map<string, Map<number, string>>();

  return (list) => {
    const positions = lists.get(list) ?? new Map([[1, '']]);
    lists.delete(list);
    lists.set(list, positions);
    if (lists.size > MOST_LISTS) lists.delete(lists.keys().next().value!);

    return positions;
  };
}

/** How many lists are remembered, each with the positions of its pages. */
const MOST_LISTS = 50;
