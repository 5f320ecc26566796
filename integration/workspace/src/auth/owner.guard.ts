/** A request of a member in; refuses (403) whoever is not an owner. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Role } from '../members/member.entity.js';
import type { MemberRequest } from './member.guard.js';

@Injectable()
export class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<MemberRequest>().user?.role === Role.Owner;
  }
}
