/** The application that the examples of `docs/auth.md` are part of: records in memory, and a guard that believes a header. */
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { MemoryService } from '../support/memory.service.js';

export class User {
  id!: number;
  companyId!: number;
  role!: 'guest' | 'member' | 'admin';
}

export class Project {
  id!: number;
  name!: string;
  companyId!: number;
}

const USERS: readonly User[] = [
  { id: 1, companyId: 1, role: 'guest' },
  { id: 2, companyId: 1, role: 'member' },
  { id: 3, companyId: 2, role: 'member' },
  { id: 4, companyId: 2, role: 'admin' },
];

@Injectable()
export class UsersService extends MemoryService<User> {
  constructor() {
    super(USERS.map((user) => ({ ...user })));
  }
}

@Injectable()
export class ProjectsService extends MemoryService<Project> {
  constructor() {
    super([
      { id: 1, name: 'Bridge', companyId: 1 },
      { id: 2, name: 'Tunnel', companyId: 1 },
      { id: 3, name: 'Tower', companyId: 2 },
    ]);
  }
}

/** Stands in for authentication. */
@Injectable()
export class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string | undefined>; user?: User }>();

    request.user = USERS.find(({ id }) => String(id) === request.headers['x-user']);
    if (!request.user) throw new UnauthorizedException();

    return true;
  }
}
