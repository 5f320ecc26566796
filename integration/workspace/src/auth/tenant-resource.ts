/** The scope that every resource of a tenant has: its records, and whatever relations lead to, are the member's tenant's, on reads and on writes. */
import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { CrudAuth } from '@nestwright/crud';
import type { Member } from '../members/member.entity.js';
import { MemberGuard } from './member.guard.js';

const ofTenant = ({ tenantId }: Member) => ({ tenantId });

/** @param relations paths from the entity of the resource, as `comments.author` */
export function TenantResource(...relations: readonly string[]): ClassDecorator {
  return applyDecorators(
    CrudAuth({
      property: 'user',
      filter: ofTenant,
      persist: ofTenant,
      relations: Object.fromEntries(relations.map((path) => [path, ofTenant])),
    }),
    UseGuards(MemberGuard),
    ApiBearerAuth(),
  );
}
