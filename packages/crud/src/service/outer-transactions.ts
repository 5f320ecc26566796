/** Transactions that the application has opened by `@nestjs-cls/transactional`; only its own store knows them. */

/** The part of a `TransactionHost` that is used. */
export interface TransactionHost {
  readonly tx: unknown;
  isTransactionActive(): boolean;
}

const hosts = new Set<WeakRef<TransactionHost>>();
const known = new WeakSet<TransactionHost>();

/** Registers a host of an application. */
export function registerTransactionHost(host: TransactionHost): void {
  if (known.has(host)) return;

  known.add(host);
  hosts.add(new WeakRef(host));
}

/**
 * For adapters: the handles (TypeORM's entity managers …) of the transactions that the caller is part of; each adapter
 * recognizes its own.
 */
export function outerTransactions(): readonly unknown[] {
  if (hosts.size === 0) return NONE;

  const found: unknown[] = [];
  for (const reference of hosts) {
    const host = reference.deref();
    if (!host) hosts.delete(reference);
    else if (host.isTransactionActive()) found.push(host.tx);
  }

  return found;
}

const NONE: readonly unknown[] = [];
