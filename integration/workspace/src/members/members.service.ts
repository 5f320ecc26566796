/** The records of /members, from their repository: of a password its hash is stored, and only owners change a role. */
import { ForbiddenException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CreateManyDto, CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Member, Role } from './member.entity.js';
import { hashOf } from './password.js';

/** What a body says of a member. */
type MemberBody = Partial<Member> & { password?: string };

@Injectable()
export class MembersService extends TypeOrmCrudService<Member> {
  constructor(@InjectRepository(Member) members: Repository<Member>) {
    super(members);
  }

  override async createOne(request: CrudRequest, body: MemberBody): Promise<Member> {
    return super.createOne(request, await newMember(request, body));
  }

  override async createMany(request: CrudRequest, { bulk }: CreateManyDto<MemberBody>): Promise<Member[]> {
    const members: MemberBody[] = [];

    for (const body of bulk) members.push(await newMember(request, body));

    return super.createMany(request, { bulk: members });
  }

  override async updateOne(request: CrudRequest, body: MemberBody): Promise<Member> {
    if (body.role !== undefined) await this.mayGive(request, body.role);

    return super.updateOne(request, await withHash(body));
  }

  override async replaceOne(request: CrudRequest, body: MemberBody): Promise<Member> {
    await this.mayGive(request, body.role ?? Role.Member);

    return super.replaceOne(request, await withHash(body));
  }

  /** Refuses (403) a role that the member of the request has not, unless an owner asks. */
  private async mayGive(request: CrudRequest, role: Role): Promise<void> {
    if (!isOwner(request) && (await this.getOne(request)).role !== role) refuseRole();
  }
}

async function newMember(request: CrudRequest, body: MemberBody): Promise<MemberBody> {
  if (!isOwner(request) && (body.role ?? Role.Member) !== Role.Member) refuseRole();

  return withHash(body);
}

async function withHash({ password, ...member }: MemberBody): Promise<MemberBody> {
  return password === undefined ? member : { ...member, passwordHash: await hashOf(password) };
}

const isOwner = ({ auth }: CrudRequest): boolean => (auth as Member).role === Role.Owner;

function refuseRole(): never {
  throw new ForbiddenException('Only owners change a role');
}
