/** /tasks: the tasks of the member's tenant, over all its projects. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { TASK_QUERY, TASK_RELATIONS, TASK_ROUTES } from './task-options.js';
import { Task } from './task.entity.js';
import { TasksService } from './tasks.service.js';

@Crud({ model: { type: Task }, query: TASK_QUERY, routes: TASK_ROUTES })
@TenantResource(...TASK_RELATIONS)
@ApiTags('tasks')
@Controller('tasks')
export class TasksController implements CrudController<Task> {
  constructor(public service: TasksService) {}
}
