/** Services that write a row of /audit with each row that they store, in one transaction. */
import type { Change } from '@nestwright/crud';
import { type ChangeContext, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { EntityManager, ObjectLiteral } from 'typeorm';
import { Audit } from './audit.entity.js';

/** What of a record the audit tells. */
interface Told {
  readonly tenantId: string;
  readonly id?: number;
  readonly key?: string;
}

export abstract class AuditedService<T extends ObjectLiteral & Told> extends TypeOrmCrudService<T> {
  override readonly needsBefore = ['update', 'replace'] as const;

  override afterChange({ model, kind, record, before }: Change<T>, { manager }: ChangeContext): Promise<void> {
    return audit(manager, { entity: model, kind, record, changes: before ? changesOf(before, record) : null });
  }
}

interface Entry {
  readonly entity: string;
  readonly kind: string;
  readonly record: Told;
  readonly changes: Readonly<Record<string, unknown>> | null;
}

/** Writes one row of /audit. */
export async function audit(manager: EntityManager, { entity, kind, record, changes }: Entry): Promise<void> {
  const { tenantId, id, key } = record;

  await manager.insert<ObjectLiteral>(Audit, { tenantId, entity, kind, recordId: String(id ?? key), changes });
}

/** The values that a record has now, of the columns that changed. */
function changesOf(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before));

  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name))),
  );
}
