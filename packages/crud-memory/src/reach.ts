/** Which related records a request may link to, and write. */
import { isOwnEntity, outOfScope, planReach, type RelationScopes, relationScopes } from '@nestwright/crud/adapter';
import { nameField, type Values } from './constraints.js';
import type { MemoryTransaction } from './memory-database.js';
import { findMatches } from './reads.js';
import type { MemoryRelation, MemoryTable } from './tables.js';
import type { Row } from './values.js';
import type { MemoryWriteContext } from './write-context.js';

export class Reach {
  private readonly scopes: RelationScopes;
  private readonly persisted: ReadonlySet<string>;
  private readonly noted: { readonly relation: MemoryRelation; readonly row: Row; readonly path: string }[] = [];

  constructor(
    private readonly context: MemoryWriteContext,
    private readonly transaction: MemoryTransaction,
  ) {
    const { request, catalog } = context;
    this.scopes = relationScopes(request, catalog);
    this.persisted = new Set(Object.keys((request.parsed.authPersist as object | undefined) ?? {}));
  }

  /** Whether a condition limits the records of a relation. */
  limits({ table, planned }: MemoryRelation): boolean {
    return this.scopes.linking(table.catalog, planned) !== undefined;
  }

  /** Those of some related records that are in reach. */
  within({ table, planned }: MemoryRelation, rows: readonly Row[], withDeleted = false): Row[] {
    const condition = this.scopes.linking(table.catalog, planned);
    const { request, catalog } = this.context;
    const { target } = planned;
    const deleted = target.deleteDate?.path;
    const there = rows.filter((row) => withDeleted || deleted === undefined || row[deleted] === null);
    if (condition === undefined) return there;
    const keys = there.map((row) => target.primary.map(({ path }) => row[path]));
    const plan = planReach(request, { root: catalog, target, condition, columns: target.primary, keys });
    const found = new Set(findMatches(plan, this.transaction).map(({ row }) => row));

    return there.filter((row) => found.has(row));
  }

  /** Refuses foreign keys that are set to records out of reach. */
  requireKeys(table: MemoryTable, values: Values, path: string, former?: Row): void {
    for (const planned of table.catalog.relations.values()) {
      const [reference] = planned.references;
      const relation = table.relation(planned.path);
      if (!reference || !this.limits(relation) || this.isSet(relation)) continue;
      const { column, references } = reference;
      const value = values.get(column.path) ?? null;
      if (value === null || value === former?.[column.path]) continue;
      const rows = [...this.transaction.of(relation.target)].filter((row) => row[references.path] === value);
      if (this.within(relation, rows).length === 0) throw outOfScope(nameField(path, column.path));
    }
  }

  /** Whether the application sets the foreign key of a relation, not the client. */
  private isSet({ table, planned: { path, references } }: MemoryRelation): boolean {
    const isSet = this.persisted.has(path) || references.every(({ column }) => this.persisted.has(column.path));

    return isSet && isOwnEntity(this.context.catalog, table.catalog);
  }

  /** Notes a record that a nested body has written: it must be in reach at the end. */
  note(relation: MemoryRelation, row: Row, path: string): void {
    if (this.limits(relation)) this.noted.push({ relation, row, path });
  }

  /** Refuses the write if a record that nested bodies have written is out of reach now. */
  settle(): void {
    for (const { relation, row, path } of this.noted) {
      const { primary } = relation.target;
      const now = [...this.transaction.of(relation.target)].filter((one) =>
        primary.every((key) => one[key] === row[key]),
      );
      if (this.within(relation, now).length === 0) throw outOfScope(path);
    }
  }
}
