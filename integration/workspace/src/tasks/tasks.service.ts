/** The records of /tasks and /projects/:projectId/tasks, from their repository, and what completes one. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@nestwright/crud';
import { Not, Repository } from 'typeorm';
import { audit, AuditedService } from '../audit/audited.service.js';
import { Comment } from '../comments/comment.entity.js';
import type { Member } from '../members/member.entity.js';
import { Status, Task } from './task.entity.js';

@Injectable()
export class TasksService extends AuditedService<Task> {
  constructor(@InjectRepository(Task) tasks: Repository<Task>) {
    super(tasks);
  }

  /** Sets the task of the request done and adds the member's comment, both or neither; a task that is done already stays as it is. */
  async complete(request: CrudRequest, body: string): Promise<Task> {
    const { id } = await this.getOne(request);
    const { id: authorId, tenantId } = request.auth as Member;

    await this.repo.manager.transaction(async (manager) => {
      // Of two requests at a time one finds the task still open.
      const { affected } = await manager.update(
        Task,
        { id, status: Not(Status.Done) },
        { status: Status.Done, updatedAt: new Date() },
      );

      if (!affected) return;

      await manager.insert(Comment, { tenantId, taskId: id, authorId, body });
      await audit(manager, {
        entity: 'Task',
        kind: 'update',
        record: { tenantId, id },
        changes: { status: Status.Done },
      });
    });

    return this.getOne(request);
  }
}
