/** The header `x-demo-user: <user id>` in, that user as `request.user` out; refuses (401) a header that is missing, malformed or names nobody. */
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from '../users/user.entity.js';

const LARGEST_ID = 2 ** 31 - 1;

interface DemoRequest {
  headers: Record<string, string | string[] | undefined>;
  user?: User;
}

/** Stands in for real authentication, of which it has nothing: any client may name any user. */
@Injectable()
export class DemoUserGuard implements CanActivate {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DemoRequest>();
    const header = String(request.headers['x-demo-user']);
    const id = /^\d{1,10}$/.test(header) ? Number(header) : 0;
    const user = id > 0 && id <= LARGEST_ID ? await this.users.findOneBy({ id }) : null;

    if (!user) throw new UnauthorizedException();
    request.user = user;

    return true;
  }
}
