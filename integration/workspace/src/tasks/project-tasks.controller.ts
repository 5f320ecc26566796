/** /projects/:projectId/tasks: the tasks of one project, each of which can be completed. */
import { Body, Controller, HttpCode, Post, UseInterceptors, ValidationPipe } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController, type CrudRequest, CrudRequestInterceptor, ParsedRequest } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { CompleteTask } from './complete-task.js';
import { TASK_QUERY, TASK_RELATIONS, TASK_ROUTES } from './task-options.js';
import { Task } from './task.entity.js';
import { TasksService } from './tasks.service.js';

@Crud({
  model: { type: Task },
  params: {
    projectId: { field: 'projectId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
  query: TASK_QUERY,
  routes: TASK_ROUTES,
})
@TenantResource(...TASK_RELATIONS)
@ApiTags('tasks of a project')
@Controller('projects/:projectId/tasks')
export class ProjectTasksController implements CrudController<Task> {
  constructor(public service: TasksService) {}

  /** Sets a task done, with a comment of the member's. */
  @Post(':id/complete')
  @HttpCode(200)
  @UseInterceptors(CrudRequestInterceptor)
  @ApiParam({ name: 'projectId', type: 'integer' })
  @ApiParam({ name: 'id', type: 'integer' })
  @ApiOkResponse({ type: Task })
  complete(
    @ParsedRequest() request: CrudRequest,
    @Body(new ValidationPipe({ whitelist: true })) { comment }: CompleteTask,
  ): Promise<Task> {
    return this.service.complete(request, comment);
  }
}
