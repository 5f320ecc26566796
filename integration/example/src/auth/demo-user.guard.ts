/** Takes the user from the header `x-demo-user: <user id>`. A header that is missing, malformed or names nobody is a 401. */
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { DemoUsers } from './demo-users.js';
import { idInHeader, type WithHeaders } from './id-in-header.js';

interface DemoRequest extends WithHeaders {
  user?: object;
}

/** Stands in for real authentication, of which it has nothing: any client may name any user. */
@Injectable()
export class DemoUserGuard implements CanActivate {
  constructor(private readonly users: DemoUsers) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DemoRequest>();
    const id = idInHeader(request, 'x-demo-user');
    const user = id === undefined ? undefined : await this.users.find(id);

    if (!user) throw new UnauthorizedException();
    request.user = user;

    return true;
  }
}
