import { type DataSource, EntityManager, type ObjectLiteral, Repository } from 'typeorm';
import { dialectOf } from './dialect/dialect-of.js';
import { ownUseOf } from './shared-connection.js';

/** The data source of a service that can be taken on another manager. */
export const DATA_SOURCE = Symbol('data source');

/** What can be taken on another manager. */
interface Service {
  readonly [DATA_SOURCE]: DataSource;
  within(manager: EntityManager): this;
}

/** Services behind those that are on a manager. */
const services = new WeakMap<object, Service>();

/**
 * The service on a manager: its class, fields and dependencies, with repositories, services, manager and data source of that data source on the manager. Fields that it
 * sets are the service's own.
 *
 * @throws Error where the manager is of another data source, or its transaction has ended.
 * @example
 * serviceWithin(usersService, manager).createOne(request, { email: 'ada@example.com' });
 */
export function serviceWithin<S extends Service>(on: S, manager: EntityManager): S {
  const service = (services.get(on) ?? on) as S;
  const dataSource = service[DATA_SOURCE];
  const name = service.constructor.name;
  if (!(manager instanceof EntityManager))
    throw new Error(`${name}.within(): the EntityManager of a transaction is expected`);
  if (manager.connection !== dataSource) throw new Error(`${name}.within(): the manager is of another data source`);

  const requireOpen = whileOpen(manager, `${name}.within()`);
  const known = new Map<object, object>();
  const joined = (held: unknown): unknown => {
    const on = typeof held === 'object' && held !== null ? joinerOf(held, dataSource) : undefined;
    if (!on) return held;

    requireOpen();
    let made = known.get(held as object);
    if (!made) known.set(held as object, (made = on(manager)));

    return made;
  };
  requireOpen();

  // The service is the prototype, not the target: a Proxy must tell the truth about its target where that is frozen.
  const view = new Proxy(Object.create(service) as S, {
    get: (_, property, receiver) => joined(Reflect.get(service, property, receiver)),
    defineProperty: (_, property, descriptor) =>
      'value' in descriptor && Object.hasOwn(service, property)
        ? Reflect.set(service, property, descriptor.value)
        : Reflect.defineProperty(service, property, descriptor),
    deleteProperty: (_, property) => Reflect.deleteProperty(service, property),
  });
  services.set(view, service);

  return view;
}

/** The service behind one that is on a manager; itself where it is not. */
export function serviceBehind(service: object): object {
  return services.get(service) ?? service;
}

/** Throws where the manager's transaction has ended, now or at a later call. */
function whileOpen(manager: EntityManager, caller: string): () => void {
  const { queryRunner, connection } = manager;
  if (!queryRunner) return () => undefined;

  const use = ownUseOf(connection);
  // Elsewhere a runner may have been made for another reason, such as a setting of its session.
  const expected = queryRunner.isTransactionActive || dialectOf(connection).sharedConnection;

  return () => {
    if (queryRunner.isReleased || use?.active === false || (expected && !queryRunner.isTransactionActive)) {
      throw new Error(`${caller}: the manager's transaction has ended`);
    }
  };
}

/** What puts something that a service holds on a manager; undefined where it is not of the data source, or on a connection of its own. */
function joinerOf(held: object, dataSource: DataSource): ((manager: EntityManager) => object) | undefined {
  if (held === dataSource) return (manager) => dataSourceOn(dataSource, manager);
  if (held instanceof EntityManager) return isShared(held, dataSource) ? (manager) => manager : undefined;
  if (held instanceof Repository) {
    return isShared(held.manager, dataSource) ? (manager) => repositoryOn(held, manager) : undefined;
  }
  const service = held as Partial<Service>;

  return service[DATA_SOURCE] === dataSource ? (manager) => service.within!(manager) : undefined;
}

function isShared({ connection, queryRunner }: EntityManager, dataSource: DataSource): boolean {
  return connection === dataSource && !queryRunner;
}

/** A custom repository keeps its methods and what it holds itself; `manager.withRepository` would call its constructor. */
function repositoryOn(repository: Repository<ObjectLiteral>, manager: EntityManager): object {
  return Object.create(repository, {
    manager: { value: manager, enumerable: true },
    queryRunner: { value: manager.queryRunner, enumerable: true },
  }) as object;
}

/** A data source whose own ways to the database lead through the manager; `createQueryRunner()` still gives a connection of its own. */
function dataSourceOn(dataSource: DataSource, manager: EntityManager): object {
  return Object.create(dataSource, {
    manager: { value: manager, enumerable: true },
    query: { value: manager.query.bind(manager) },
    createQueryBuilder: { value: manager.createQueryBuilder.bind(manager) },
  }) as object;
}
