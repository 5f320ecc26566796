/** Stores records with what their bodies carry: links, nested records, and hooks around each row. */
import {
  type CatalogRelation,
  crudError,
  DEFAULT_VALUE,
  givenNames,
  outOfScope,
  type PlannedCascadeItem,
  type PlannedKey,
  type WritePlan,
} from '@nestwright/crud/adapter';
import { fill, insertRow, nameField, newRow, replaceRow, type Values } from './constraints.js';
import { callBefore, changeOf } from './hooks.js';
import type { MemoryTransaction } from './memory-database.js';
import { Reach } from './reach.js';
import { type MemoryRelation, type MemoryTable, relationOf } from './tables.js';
import { isSame, type Row, stored } from './values.js';
import { type MemoryWriteContext, requireVersion } from './write-context.js';

interface Updated {
  readonly path: string;
  /** Whether a record counts as changed though no value differs, as by PUT. */
  readonly always?: boolean;
  /** The foreign key to its parent. */
  readonly foreignKey?: Values;
}

type Items = readonly PlannedCascadeItem[];

export class Records {
  readonly reach: Reach;
  private readonly given: ReadonlySet<string>;

  constructor(
    private readonly context: MemoryWriteContext,
    private readonly transaction: MemoryTransaction,
  ) {
    this.reach = new Reach(context, transaction);
    this.given = givenNames(context.request);
  }

  async insert(table: MemoryTable, plan: WritePlan, path: string, foreignKey: Values = new Map()): Promise<Row> {
    const { hooks } = this.context;
    const { transaction } = this;
    if (plan.insertRefusal) throw await plan.insertRefusal();
    const values = new Map<string, unknown>(plan.values.map(({ column, value }) => [column.path, value]));
    for (const [column, value] of foreignKey) values.set(column, value);
    for (const { relation, items } of plan.cascades) await this.insertReferred(relation, items, values, path);
    // Counters are not shown to hooks.
    const shown = newRow(table, values, transaction);
    if (hooks) {
      const change = changeOf('create', table, withoutCounters(table, shown, values));
      const { persisted } = plan;
      const set = await callBefore(hooks, table, change, { mode: 'insert', path, persisted }, transaction);
      for (const [column, value] of set) values.set(column, value);
    }
    this.reach.requireKeys(table, new Map([...values].filter(([column]) => !foreignKey.has(column))), path);
    const row = { ...shown, ...newValues(table, values) };
    insertRow(transaction, table, row, { path, given: this.given });
    if (hooks?.callsAfter) await hooks.after(changeOf('create', table, row), transaction);
    await this.storeReferring(plan, row, path, true);

    return row;
  }

  async update(table: MemoryTable, row: Row, plan: WritePlan, options: Updated): Promise<Row> {
    const { path, always = false, foreignKey = new Map() } = options;
    const { hooks } = this.context;
    const { transaction } = this;
    const changes = this.changesOf(table, row, plan);
    this.reach.requireKeys(table, changes, path, row);
    for (const [column, value] of foreignKey) changes.set(column, value);
    for (const { relation, items } of plan.cascades) await this.storeReferred(relation, items, row, changes, path);

    let next: Row = { ...row, ...newValues(table, changes) };
    const changesLinks = this.changesLinks(plan, row);
    if (!always && !changesLinks && isEqualRow(table, row, next)) {
      await this.storeReferring(plan, row, path, false);

      return row;
    }
    const kind = always ? 'replace' : 'update';
    const before = hooks?.needsBefore(kind) ? row : undefined;
    if (hooks) {
      const { persisted } = plan;
      const set = await callBefore(
        hooks,
        table,
        changeOf(kind, table, next, before),
        { mode: 'update', path, persisted },
        transaction,
      );
      this.reach.requireKeys(table, set, path, row);
      next = { ...next, ...Object.fromEntries(set) };
    }
    if (always || !isEqualRow(table, row, next)) {
      next = { ...next, ...this.advanced(table, row) };
      replaceRow(transaction, table, [row, next], { path, given: this.given });
    }
    await this.storeReferring(plan, next, path, false);
    if (hooks?.callsAfter) await hooks.after(changeOf(kind, table, next, before), transaction);

    return next;
  }

  /** The columns that each update advances. */
  private advanced(table: MemoryTable, row: Row): Row {
    const [version, updated] = [table.filled('version'), table.filled('updateDate')];

    return {
      ...(version !== undefined && { [version]: Number(row[version]) + 1 }),
      ...(updated !== undefined && { [updated]: new Date() }),
    };
  }

  /** What a plan changes of a row's own columns; a link that the client cannot see stays. */
  private changesOf(table: MemoryTable, row: Row, plan: WritePlan): Map<string, unknown> {
    const changes = new Map<string, unknown>();
    for (const { column, value } of plan.values) {
      const reset = () => fill(table, column.path, this.transaction) ?? null;
      if (!column.primary && column.updatable) changes.set(column.path, value === DEFAULT_VALUE ? reset() : value);
    }
    for (const { relation, columns } of plan.unlinks ?? []) {
      const linked = relationOf(relation).follow(row, this.transaction);
      const isHidden = linked.length > 0 && this.reach.within(relationOf(relation), linked, true).length === 0;
      for (const { path } of isHidden ? columns : []) changes.delete(path);
    }

    return changes;
  }

  /** Inserts a new record before the one that refers to it. */
  private async insertReferred(relation: CatalogRelation, items: Items, values: Map<string, unknown>, path: string) {
    const [reference] = relation.references;
    const item = items[0]!;
    if (!reference || item.key || !relation.cascadeInsert) return;
    const inserted = await this.insertRelated(relationOf(relation), item.plan, nameField(path, relation.path));
    values.set(reference.column.path, inserted[reference.references.path]);
  }

  /** Stores the record that an updated one refers to: changes it if it is linked, or links a new one. */
  private async storeReferred(
    relation: CatalogRelation,
    items: Items,
    row: Row,
    changes: Map<string, unknown>,
    path: string,
  ): Promise<void> {
    if (relation.references.length === 0) return;
    const item = items[0]!;
    const place = nameField(path, relation.path);
    const linked = relationOf(relation).follow(row, this.transaction);
    if (item.isNew && linked.length > 0) this.refuseSecond(relationOf(relation), place);
    const reached = this.reach.within(relationOf(relation), linked);
    if (isHidden(item, linked, reached)) throw outOfScope(place);
    if (!(await this.updateLinked(relationOf(relation), item, reached, place)))
      await this.insertReferred(relation, items, changes, path);
  }

  /** Changes the linked record that an item means; false if it means none. */
  private async updateLinked(
    relation: MemoryRelation,
    item: PlannedCascadeItem,
    linked: readonly Row[],
    path: string,
    foreignKey?: Values,
  ): Promise<boolean> {
    const plan = item.key ? item.plan : item.update;
    const row = linked.find((one) => means(item, one));
    if (!row || !plan) return false;
    requireVersion(plan.catalog, plan.expectedVersion, row, path);
    this.reach.note(relation, row, path);
    await this.update(relation.target, row, plan, {
      path,
      ...(plan.values.length > 0 && foreignKey && { foreignKey }),
    });

    return true;
  }

  private async insertRelated(relation: MemoryRelation, plan: WritePlan, path: string, foreignKey?: Values) {
    const row = await this.insert(relation.target, plan, path, foreignKey);
    this.reach.note(relation, row, path);

    return row;
  }

  /** Stores the children and links of a record. */
  private async storeReferring(plan: WritePlan, row: Row, path: string, isNew: boolean): Promise<void> {
    for (const { relation, items } of plan.cascades) {
      if (relation.kind === 'one-to-many' || relation.kind === 'one-to-one-inverse')
        await this.storeChildren(relation, items, row, path, isNew);
    }
    for (const { relation, keys } of plan.links) {
      const items = plan.cascades.find((cascade) => cascade.relation === relation)?.items ?? [];
      await this.storeLinks(relationOf(relation), keys, items, row, nameField(path, relation.path));
    }
  }

  private async storeChildren(planned: CatalogRelation, items: Items, row: Row, path: string, isNew: boolean) {
    const relation = relationOf(planned);
    const { definition, table } = relation;
    const foreignKey = new Map('of' in definition ? [[definition.of, row[table.primary[0]!]]] : []);
    const linked = isNew ? [] : relation.follow(row, this.transaction);
    const reached = this.reach.within(relation, linked);

    for (const [at, item] of items.entries()) {
      const place = nameField(path, planned.toMany ? `${planned.path}.${at}` : planned.path);
      if (item.isNew && linked.length > 0) this.refuseSecond(relation, place);
      if (await this.updateLinked(relation, item, reached, place, foreignKey)) continue;
      if (isHidden(item, linked, reached) || ((item.key ?? item.ownKey) && this.reach.limits(relation)))
        throw outOfScope(place);
      if (item.key || (item.ownKey && !planned.cascadeInsert))
        throw crudError('CRUD_INVALID_BODY', { field: place, message: [`${place} does not belong to this record`] });
      if (planned.cascadeInsert) await this.insertRelated(relation, item.plan, place, foreignKey);
    }
  }

  /** Makes the links of a record those to some records and no others; links out of reach stay. */
  private async storeLinks(
    relation: MemoryRelation,
    keys: readonly PlannedKey[],
    items: Items,
    row: Row,
    path: string,
  ) {
    const { linked, reached, named } = this.readLinks(relation, keys, row, path);
    const shown = this.reach.within(relation, linked);
    if (items.some((item) => item.key && isHidden(item, linked, shown))) throw outOfScope(path);
    for (const item of items) if (item.key) await this.updateLinked(relation, item, shown, path);
    const all = [...named];
    for (const { key, plan } of items) if (!key) all.push(await this.insertRelated(relation, plan, path));

    const { through, table, target } = relation;
    const [own, other] = relation.links;
    const [ownKey, key] = [row[table.primary[0]!], target.primary[0]!];
    const wanted = new Set(all.map((one) => one[key]));
    const removable = new Set(reached.map((one) => one[key]));
    for (const link of [...this.transaction.of(through!)].filter((one) => one[own] === ownKey))
      if (!wanted.delete(link[other]) && removable.has(link[other])) this.transaction.remove(through!, link);
    for (const value of wanted) {
      const link = newRow(through!, new Map(Object.entries({ [own]: ownKey, [other]: value })), this.transaction);
      insertRow(this.transaction, through!, link, { path, given: this.given });
    }
  }

  private readLinks(relation: MemoryRelation, keys: readonly PlannedKey[], row: Row, path: string) {
    const linked = relation.follow(row, this.transaction);
    const all = [...this.transaction.of(relation.target)];
    const named = keys.map((key) => all.find((one) => hasValues(one, key))).filter((one) => one !== undefined);
    if (this.reach.limits(relation) && this.reach.within(relation, named).length < keys.length) throw outOfScope(path);
    if (named.length < keys.length)
      throw crudError('CRUD_FOREIGN_KEY_VIOLATION', { field: path, message: [`${path} does not exist`] });

    return { linked, named, reached: this.reach.within(relation, linked, true) };
  }

  /** Whether a plan changes links of a record in other tables. */
  private changesLinks({ links, cascades }: WritePlan, row: Row): boolean {
    return links.some(({ relation, keys }) => {
      const { linked, named, reached } = this.readLinks(relationOf(relation), keys, row, relation.path);
      const hasNew = cascades.some((one) => one.relation === relation && one.items.some(({ key }) => !key));

      return hasNew || named.some((one) => !linked.includes(one)) || reached.some((one) => !named.includes(one));
    });
  }

  private refuseSecond(relation: MemoryRelation, path: string): never {
    if (this.reach.limits(relation)) throw outOfScope(path);
    throw crudError('CRUD_INVALID_BODY', {
      field: path,
      message: [`${path} is a new record, but there is one already`],
    });
  }
}

/** Stored forms of values that are given. */
function newValues(table: MemoryTable, values: Values): Row {
  return Object.fromEntries(
    [...values]
      .filter(([, value]) => value !== undefined)
      .map(([path, value]) => [path, stored(table.catalog.columns.get(path)!, value)]),
  );
}

function withoutCounters(table: MemoryTable, row: Row, values: Values): Row {
  const isOpen = (path: string) => table.columns.get(path)?.counter && (values.get(path) ?? null) === null;

  return Object.fromEntries(Object.entries(row).filter(([path]) => !isOpen(path)));
}

function isEqualRow({ catalog }: MemoryTable, one: Row, other: Row): boolean {
  return [...catalog.columns.values()].every((column) => isSame(column, one[column.path], other[column.path]));
}

/** Whether an item means a linked record: by its key; without one it means the only one there can be. */
function means({ key, ownKey, update }: PlannedCascadeItem, row: Row): boolean {
  const named = key ?? ownKey;

  return named ? hasValues(row, named) : update !== undefined;
}

/** Whether an item means a linked record that is out of reach, or deleted. */
function isHidden(item: PlannedCascadeItem, linked: readonly Row[], reached: readonly Row[]): boolean {
  return linked.some((one) => !reached.includes(one) && means(item, one));
}

function hasValues(row: Row, key: PlannedKey): boolean {
  return key.every(({ column, value }) => isSame(column, row[column.path], value));
}
