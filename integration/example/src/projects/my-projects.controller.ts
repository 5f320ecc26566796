/** /my/projects: the projects of the demo user's company, on reads and on writes. */
import { Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { DemoUserGuard } from '../auth/demo-user.guard.js';
import { User } from '../users/user.entity.js';
import { Project } from './project.entity.js';
import { ProjectsService } from './projects.service.js';

@Crud({ model: { type: Project } })
@CrudAuth({
  property: 'user',
  filter: (user: User) => ({ companyId: user.companyId }),
  persist: (user: User) => ({ companyId: user.companyId }),
})
@ApiTags('my projects')
@ApiBearerAuth()
@UseGuards(DemoUserGuard)
@Controller('my/projects')
export class MyProjectsController implements CrudController<Project> {
  constructor(public service: ProjectsService) {}
}
