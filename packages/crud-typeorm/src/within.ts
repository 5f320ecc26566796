import { getOrInsert } from '@nestwright/crud/adapter';
import { findOwnUse } from '@nestwright/sql';
import { type DataSource, EntityManager, type ObjectLiteral, Repository } from 'typeorm';
import { getDialect } from './typeorm/dialect-of.js';
import { toDatabase } from './typeorm/database.js';

/** Key of the data source of a service that `within()` supports. */
export const DATA_SOURCE = Symbol('data source');

interface Service {
  readonly [DATA_SOURCE]: DataSource;
  within(manager: EntityManager): this;
}

/** The original services of those bound to a manager. */
const originals = new WeakMap<object, Service>();

/**
 * The service, bound to a manager: same class, fields and dependencies, but repositories, services, manager and data
 * source are bound to the manager. Fields that it sets are set on the original service.
 *
 * @throws Error if the manager is of another data source, or its transaction has ended.
 */
export function bindService<S extends Service>(target: S, manager: EntityManager): S {
  const service = getOriginal(target) as S;
  const dataSource = service[DATA_SOURCE];
  const name = service.constructor.name;
  if (!(manager instanceof EntityManager))
    throw new Error(`${name}.within(): the EntityManager of a transaction is expected`);
  if (manager.connection !== dataSource) throw new Error(`${name}.within(): the manager is of another data source`);

  const requireOpen = whileOpen(manager, `${name}.within()`);
  const known = new Map<object, object>();
  const bound = (held: unknown): unknown => {
    const bind = typeof held === 'object' && held !== null ? makeBinder(held, dataSource) : undefined;
    if (!bind) return held;

    requireOpen();

    return getOrInsert(known, held as object, () => bind(manager));
  };
  requireOpen();

  // The service is the target's prototype, not the target: a Proxy must report a frozen target's properties as they
  // are.
  const view = new Proxy(Object.create(service) as S, {
    get: (_, property, receiver) => bound(Reflect.get(service, property, receiver)),
    defineProperty: (_, property, descriptor) =>
      'value' in descriptor && Object.hasOwn(service, property)
        ? Reflect.set(service, property, descriptor.value)
        : Reflect.defineProperty(service, property, descriptor),
    deleteProperty: (_, property) => Reflect.deleteProperty(service, property),
  });
  originals.set(view, service);

  return view;
}

/** The original of a service that is bound to a manager; otherwise the service itself. */
function getOriginal(service: object): object {
  return originals.get(service) ?? service;
}

/** Throws if the manager's transaction has ended, now or at a later call. */
function whileOpen(manager: EntityManager, caller: string): () => void {
  const { queryRunner, connection } = manager;
  if (!queryRunner) return () => undefined;

  const use = findOwnUse(toDatabase(connection));
  // Outside a transaction, a runner may have another purpose, such as a session setting.
  const expected = queryRunner.isTransactionActive || getDialect(connection).sharedConnection;

  return () => {
    if (queryRunner.isReleased || use?.active === false || (expected && !queryRunner.isTransactionActive))
      throw new Error(`${caller}: the manager's transaction has ended`);
  };
}

/**
 * Returns a function that binds a service's dependency to a manager; undefined if it is of another data source, or has
 * its own connection.
 */
function makeBinder(held: object, dataSource: DataSource): ((manager: EntityManager) => object) | undefined {
  if (held === dataSource) return (manager) => bindDataSource(dataSource, manager);
  if (held instanceof EntityManager) return isShared(held, dataSource) ? (manager) => manager : undefined;
  if (held instanceof Repository)
    return isShared(held.manager, dataSource) ? (manager) => bindRepository(held, manager) : undefined;

  const service = held as Partial<Service>;

  return service[DATA_SOURCE] === dataSource ? (manager) => service.within!(manager) : undefined;
}

function isShared({ connection, queryRunner }: EntityManager, dataSource: DataSource): boolean {
  return connection === dataSource && !queryRunner;
}

/** A custom repository keeps its methods and fields; `manager.withRepository` would call its constructor. */
function bindRepository(repository: Repository<ObjectLiteral>, manager: EntityManager): object {
  return Object.create(repository, {
    manager: { value: manager, enumerable: true },
    queryRunner: { value: manager.queryRunner, enumerable: true },
  }) as object;
}

/** A data source that runs statements through the manager; `createQueryRunner()` still opens a new connection. */
function bindDataSource(dataSource: DataSource, manager: EntityManager): object {
  return Object.create(dataSource, {
    manager: { value: manager, enumerable: true },
    query: { value: manager.query.bind(manager) },
    createQueryBuilder: { value: manager.createQueryBuilder.bind(manager) },
  }) as object;
}
