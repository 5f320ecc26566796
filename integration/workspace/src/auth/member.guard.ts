/** Takes the member from the header `x-demo-member: <member id>`. A header that is missing, malformed or names nobody is a 401. */
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { idInHeader, type WithHeaders } from '@nestwright/example';
import { Repository } from 'typeorm';
import { Member } from '../members/member.entity.js';

/** A request that the guard has let through. */
export interface MemberRequest extends WithHeaders {
  user?: Member;
}

/** Stands in for real authentication, of which it has nothing: any client may name any member. */
@Injectable()
export class MemberGuard implements CanActivate {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<MemberRequest>();
    const id = idInHeader(request, 'x-demo-member');

    request.user = (id !== undefined && (await this.members.findOneBy({ id }))) || undefined;
    if (!request.user) throw new UnauthorizedException();

    return true;
  }
}
