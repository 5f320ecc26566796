import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Change } from '@nestwright/crud';
import { type ChangeContext, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { OutboxMessage } from './outbox.entity.js';
import { OutboxRelay } from './outbox.relay.js';
import { Task } from './task.entity.js';

@Injectable()
export class OutboxTasksService extends TypeOrmCrudService<Task> {
  constructor(
    @InjectRepository(Task) tasks: Repository<Task>,
    private readonly relay: OutboxRelay,
  ) {
    super(tasks);
  }

  /** Stored, or undone, with the task. */
  override async afterChange(
    { model, kind, record }: Change<Task>,
    { manager }: ChangeContext,
  ): Promise<void> {
    // Only what receivers may know: record also has the columns that responses hide,
    // such as the hash of a password.
    const { id, title, status } = record;

    await manager.insert(OutboxMessage, {
      topic: `${model}.${kind}`,
      payload: { id, title, status },
    });
  }

  /** Sends at once what a timer would send later. */
  override async afterCommit(): Promise<void> {
    await this.relay.deliver();
  }
}
