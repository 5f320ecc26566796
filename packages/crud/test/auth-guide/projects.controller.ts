/** The third example of `docs/auth.md`: roles decide what may be done, `@CrudAuth` with which records. */
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import {
  Action,
  Crud,
  CrudActions,
  CrudAuth,
  type CrudController,
  type CrudRequest,
} from '@nestwright/crud';
import { Feature, getAction, getFeature, Override, ParsedRequest } from '@nestwright/crud';
import { Project, ProjectsService, type User, UserGuard } from './projects.js';

const { ReadAll, ReadOne, CreateOne, UpdateOne } = CrudActions;

const GRANTS: Record<User['role'], Record<string, readonly string[]>> = {
  guest: { projects: [ReadAll, ReadOne] },
  member: { projects: [ReadAll, ReadOne, CreateOne, UpdateOne, 'Archive'] },
  admin: { projects: [...Object.values(CrudActions), 'Archive'] },
};

@Injectable()
export class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user: User }>();
    const feature = getFeature<string>(context.getClass());
    const action = getAction<string>(context.getHandler());

    return GRANTS[user.role][feature]?.includes(action) ?? false;
  }
}

@Crud({ model: { type: Project } })
@CrudAuth({
  property: 'user',
  filter: ({ role, companyId }: User) => (role === 'admin' ? {} : { companyId }),
  persist: ({ role, companyId }: User) => (role === 'admin' ? {} : { companyId }),
})
@Feature('projects')
@UseGuards(UserGuard, RolesGuard)
@Controller('projects')
export class ProjectsController implements CrudController<Project> {
  constructor(public service: ProjectsService) {}

  // Does what `getManyBase` does, so a guest may.
  @Override()
  getMany(@ParsedRequest() request: CrudRequest) {
    return this.service.getMany(request);
  }

  @Post('archive')
  @Action('Archive')
  archive() {
    return { archived: true };
  }
}
