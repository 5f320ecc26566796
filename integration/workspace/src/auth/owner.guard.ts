/** Only owners pass; other members get a 403. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Role } from '../members/member.entity.js';
import type { MemberRequest } from './member.guard.js';

@Injectable()
export class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<MemberRequest>().user?.role === Role.Owner;
  }
}
