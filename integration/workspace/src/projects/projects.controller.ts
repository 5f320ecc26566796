/** /projects: the projects of the member's tenant. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { Project } from './project.entity.js';
import { ProjectsService } from './projects.service.js';

@Crud({
  model: { type: Project },
  query: { softDelete: true, etag: true, join: { tasks: {} } },
  routes: {
    createOneBase: { onConflict: ['tenantId', 'key'] },
    createManyBase: { onConflict: ['tenantId', 'key'] },
    updateOneBase: { requireMatch: true },
  },
})
@TenantResource('tasks')
@ApiTags('projects')
@Controller('projects')
export class ProjectsController implements CrudController<Project> {
  constructor(public service: ProjectsService) {}
}
