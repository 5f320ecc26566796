/** /members: the members of the tenant. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { CreateMember, UpdateMember } from './member-bodies.js';
import { Member } from './member.entity.js';
import { MembersService } from './members.service.js';

@Crud({ model: { type: Member }, dto: { create: CreateMember, update: UpdateMember }, query: { cursor: true } })
@TenantResource()
@ApiTags('members')
@Controller('members')
export class MembersController implements CrudController<Member> {
  constructor(public service: MembersService) {}
}
