/** The application that the examples of `docs/auth.md` are part of: records in memory, and a guard that believes a header. */
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import { memoryOf } from '../support/memory.service.js';

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

export class UsersService extends memoryOf<User>(USERS.map((user) => ({ ...user }))) {}

export class ProjectsService extends memoryOf<Project>([
  { id: 1, name: 'Bridge', companyId: 1 },
  { id: 2, name: 'Tunnel', companyId: 1 },
  { id: 3, name: 'Tower', companyId: 2 },
]) {}

/** Stands in for authentication. */
@Injectable()
export class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    type Request = { headers: Record<string, string | undefined>; user?: User };
    const request = context.switchToHttp().getRequest<Request>();
    request.user = USERS.find(({ id }) => String(id) === request.headers['x-user']);
    if (!request.user) throw new UnauthorizedException();
    return true;
  }
}
