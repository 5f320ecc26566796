import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

export interface Customer {
  id: number;
  isAdmin: boolean;
}

/** The user is who the header names. */
@Injectable()
export class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const id = Number(request.headers['x-user'] ?? 0);
    request.user = { id, isAdmin: id === 1 };

    return id > 0;
  }
}
