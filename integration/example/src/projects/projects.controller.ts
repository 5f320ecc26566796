/** /projects: the projects of all companies, always in pages. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { Project } from './project.entity.js';
import { ProjectsService } from './projects.service.js';

@Crud({
  model: { type: Project },
  query: {
    alwaysPaginate: true,
    limit: 10,
    join: {
      company: { required: true },
      users: { exclude: ['password'] },
    },
  },
  routes: { deleteOneBase: { returnDeleted: true } },
})
@ApiTags('projects')
@Controller('projects')
export class ProjectsController implements CrudController<Project> {
  constructor(public service: ProjectsService) {}
}
