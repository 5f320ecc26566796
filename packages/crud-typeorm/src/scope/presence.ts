/** What a write knows of the records that its body links to: in reach, soft-deleted, or away. */
import { planReach } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { QueryRunner, RelationMetadata } from 'typeorm';
import { catalogOf, columnOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { listSize, read } from '../sql/index.js';
import type { LinkConditions } from './link-conditions.js';
import { byRelation, type LinkKey, type NamedKeys, namingColumns } from './link-keys.js';
import { isValue, keyText, valuesOf } from '../statements/values.js';
import { readOptions, type WriteContext } from '../statements/write-context.js';

/** Most keys of one statement. */
const KEYS = 1000;

/** What is known of a related record; `away` is one that the condition leaves out, or that is not there. */
type Presence = 'live' | 'deleted' | 'away';

interface Question {
  readonly columns: readonly ColumnMetadata[];
  readonly keys: readonly LinkKey[];
}

interface Found {
  readonly key: LinkKey;
  readonly deleted: boolean;
}

/** Finds those of some records that satisfy a condition, and locks them. */
export type FindInReach = (
  relation: RelationMetadata,
  condition: SCondition,
  question: Question,
) => Promise<readonly Found[]>;

/**
 * What one transaction knows of related records: asked once, by one statement for each relation under a condition, and locked, so that it stays true until the transaction ends.
 */
export class Presences {
  private readonly known = new Map<RelationMetadata, Map<string, Presence>>();

  constructor(
    private readonly conditions: LinkConditions,
    private readonly look: FindInReach,
  ) {}

  /** Looks up what is not known yet, by one statement for each relation. */
  async learn(named: readonly NamedKeys[]): Promise<void> {
    for (const [relation, keys] of byRelation(named)) {
      await this.of(relation, keys);
    }
  }

  /** What is known of some records, by the text of their keys; what is not known yet is looked up. */
  async of(relation: RelationMetadata, keys: readonly LinkKey[]): Promise<ReadonlyMap<string, Presence>> {
    const known = this.known.get(relation) ?? new Map<string, Presence>();
    const asked = new Map(
      keys.flatMap((key) => (key.every(isValue) && !known.has(keyText(key)) ? [[keyText(key), key] as const] : [])),
    );

    this.known.set(relation, known);
    const texts = [...asked.keys()];

    (await this.find(relation, namingColumns(relation), [...asked.values()])).forEach((found, index) => {
      known.set(texts[index] ?? '', found ? (found.deleted ? 'deleted' : 'live') : 'away');
    });

    return known;
  }

  /** For each of some keys its record, if that is in reach now, whatever was known of it. */
  async find(
    relation: RelationMetadata,
    columns: readonly ColumnMetadata[],
    keys: readonly LinkKey[],
  ): Promise<readonly (Found | undefined)[]> {
    const condition = this.conditions.on(relation);

    if (condition === undefined) {
      return [];
    }

    const look = (some: readonly LinkKey[]) => this.look(relation, condition, { columns, keys: some });
    const found: (Found | undefined)[] = [];

    for (let start = 0; start < keys.length; start += KEYS) {
      found.push(...(await eachFound(keys.slice(start, start + KEYS), look)));
    }

    return found;
  }
}

/** Which record each key means. What the database holds to be equal may have another text (`AB` and `ab`, `1.5` and `1.50`): where records are left over, it is asked key by key. */
async function eachFound(
  keys: readonly LinkKey[],
  look: (keys: readonly LinkKey[]) => Promise<readonly Found[]>,
): Promise<(Found | undefined)[]> {
  const records = new Map((await look(keys)).map((record) => [keyText(record.key), record]));
  const found = keys.map((key) => records.get(keyText(key)));

  found.forEach((record) => record && records.delete(keyText(record.key)));

  for (const [index, key] of records.size > 0 ? keys.entries() : []) {
    found[index] ??= (await look([key]))[0];
  }

  return found;
}

/** Looks records up in the transaction of a write. */
export function findOn({ request, catalog }: WriteContext, runner: QueryRunner): FindInReach {
  return async ({ inverseEntityMetadata }, condition, { columns, keys }) => {
    const question = {
      root: catalog,
      target: catalogOf(inverseEntityMetadata),
      condition,
      columns: columns.map(columnOf),
      // Lists of several columns are part of the statement's text: few lengths make few statements.
      keys: columns.length > 1 ? Array.from({ length: listSize(keys.length) }, (_, at) => keys[at] ?? keys[0]!) : keys,
    };
    const { deleteDateColumn } = inverseEntityMetadata;

    return (await read(planReach(request, question), runner, readOptions(request))).map((record) => ({
      key: valuesOf(columns, record),
      deleted: deleteDateColumn !== undefined && isValue(deleteDateColumn.getEntityValue(record)),
    }));
  };
}
