/** The first example of `docs/auth.md`: records that belong to the user's company. */
import { Controller, UseGuards } from '@nestjs/common';
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { Project, ProjectsService, type User, UserGuard } from './projects.js';

@Crud({ model: { type: Project } })
@CrudAuth({
  property: 'user',
  filter: (user: User) => ({ companyId: user.companyId }),
  persist: (user: User) => ({ companyId: user.companyId }),
})
@UseGuards(UserGuard)
@Controller('my/projects')
export class MyProjectsController implements CrudController<Project> {
  constructor(public service: ProjectsService) {}
}
