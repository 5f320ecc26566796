import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Change } from '@nestwright/crud';
import { type ChangeContext, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Audit } from './audit.entity.js';
import { Task } from './task.entity.js';

@Injectable()
export class AuditedTasksService extends TypeOrmCrudService<Task> {
  override readonly needsBefore = true;

  constructor(@InjectRepository(Task) tasks: Repository<Task>) {
    super(tasks);
  }

  override async afterChange(
    { model, kind, record, before }: Change<Task>,
    { request, manager }: ChangeContext,
  ) {
    const user = (request.auth as { name?: string } | undefined)?.name ?? 'nobody';

    await manager.insert(Audit, {
      entity: model,
      kind,
      recordId: String(record.id),
      user,
      changes: differences(before ?? {}, kind === 'delete' ? {} : record),
    });
  }
}

/** What differs, by column: the value before and the value after. */
function differences(before: object, after: object): Record<string, unknown> {
  const [old, current] = [before, after].map(
    (row) => new Map<string, unknown>(Object.entries(row)),
  );
  const names = [...new Set([...old!.keys(), ...current!.keys()])];
  const pairs = names.map(
    (name) => [name, [old!.get(name) ?? null, current!.get(name) ?? null]] as const,
  );

  return Object.fromEntries(
    pairs.filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is)),
  );
}
