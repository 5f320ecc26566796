import { getOrInsert, planReach } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import { listSize, read } from '../select/index.js';
import type { LinkConditions } from './link-conditions.js';
import { byRelation, type LinkKey, type NamedKeys, namingColumns } from './link-keys.js';
import { batches, isValue, keyText, readValues } from '../statements/values.js';
import { readOptions, type WriteContext } from '../statements/write-context.js';
import { getCatalog, getCatalogColumn } from '../database/links.js';
import type { Column, Connection, Relation } from '../database/database.js';

/** The state of a related record; `absent`: it does not exist, or the condition excludes it. */
type RelatedState = 'live' | 'deleted' | 'absent';

interface Found {
  readonly key: LinkKey;
  readonly deleted: boolean;
}

/**
 * Caches the state of related records for one transaction: looked up once per relation under a condition, and locked
 * until the transaction ends.
 */
export class RelatedStates {
  private readonly known = new Map<Relation, Map<string, RelatedState>>();

  constructor(
    private readonly context: WriteContext,
    private readonly connection: Connection,
    private readonly conditions: LinkConditions,
  ) {}

  /**
   * Whether records of a relation may have different states: a condition excludes some, or they can be soft-deleted.
   */
  vary(relation: Relation): boolean {
    return this.conditions.on(relation) !== undefined || relation.inverseTable.deleteDateColumn !== undefined;
  }

  /** Looks up unknown records, by one statement per relation. */
  async prefetch(named: readonly NamedKeys[]): Promise<void> {
    for (const [relation, keys] of byRelation(named)) await this.of(relation, keys);
  }

  /** The state of some records, by the text of their keys; unknown ones are looked up. */
  async of(relation: Relation, keys: readonly LinkKey[]): Promise<ReadonlyMap<string, RelatedState>> {
    const known = getOrInsert(this.known, relation, () => new Map<string, RelatedState>());
    const missing = new Map(
      keys.flatMap((key) => (key.every(isValue) && !known.has(keyText(key)) ? [[keyText(key), key] as const] : [])),
    );

    const texts = [...missing.keys()];

    (await this.find(relation, namingColumns(relation), [...missing.values()])).forEach((found, index) => {
      known.set(texts[index] ?? '', found ? (found.deleted ? 'deleted' : 'live') : 'absent');
    });

    return known;
  }

  /** The records of some keys that are in reach now, looked up again. */
  async find(
    relation: Relation,
    columns: readonly Column[],
    keys: readonly LinkKey[],
  ): Promise<readonly (Found | undefined)[]> {
    if (!this.vary(relation)) return [];

    const condition = this.conditions.on(relation) ?? {};
    const lock = (some: readonly LinkKey[]) => this.lockInReach(relation, condition, columns, some);
    const found: (Found | undefined)[] = [];

    for (const some of batches(keys)) found.push(...(await eachFound(some, lock)));

    return found;
  }

  /** Finds those of some records that satisfy a condition, and locks them. */
  private async lockInReach(
    { inverseTable }: Relation,
    condition: SCondition,
    columns: readonly Column[],
    keys: readonly LinkKey[],
  ): Promise<readonly Found[]> {
    const { request, catalog } = this.context;
    const reach = {
      root: catalog,
      target: getCatalog(inverseTable, catalog),
      condition,
      columns: columns.map((column) => getCatalogColumn(column, catalog)),
      // Composite keys are part of the statement's text, so their number is rounded to have few texts.
      keys: columns.length > 1 ? Array.from({ length: listSize(keys.length) }, (_, at) => keys[at] ?? keys[0]!) : keys,
    };
    const { deleteDateColumn } = inverseTable;

    return (await read(planReach(request, reach), this.connection, readOptions(request))).map((record) => ({
      key: readValues(columns, record),
      deleted: deleteDateColumn !== undefined && isValue(deleteDateColumn.read(record)),
    }));
  }
}

/**
 * Assigns records to keys. Texts that the database considers equal may differ (`AB` and `ab`, `1.5` and `1.50`): if
 * records are left over, each key is looked up alone.
 */
async function eachFound(
  keys: readonly LinkKey[],
  lock: (keys: readonly LinkKey[]) => Promise<readonly Found[]>,
): Promise<(Found | undefined)[]> {
  const records = new Map((await lock(keys)).map((record) => [keyText(record.key), record]));
  const found = keys.map((key) => records.get(keyText(key)));

  found.forEach((record) => record && records.delete(keyText(record.key)));

  for (const [index, key] of records.size > 0 ? keys.entries() : []) found[index] ??= (await lock([key]))[0];

  return found;
}
