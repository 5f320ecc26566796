/** /tenant: the member's own, which needs no id and only owners change. */
import { Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { MemberGuard } from '../auth/member.guard.js';
import { OwnerGuard } from '../auth/owner.guard.js';
import { Member } from '../members/member.entity.js';
import { Tenant } from './tenant.entity.js';
import { TenantsService } from './tenants.service.js';

@Crud({
  model: { type: Tenant },
  params: { id: { field: 'id', type: 'uuid', primary: true, disabled: true } },
  routes: {
    only: ['getOneBase', 'updateOneBase'],
    updateOneBase: { decorators: [UseGuards(OwnerGuard)] },
  },
})
@CrudAuth({
  property: 'user',
  filter: ({ tenantId }: Member) => ({ id: tenantId }),
})
@ApiTags('tenant')
@ApiBearerAuth()
@UseGuards(MemberGuard)
@Controller('tenant')
export class TenantController implements CrudController<Tenant> {
  constructor(public service: TenantsService) {}
}
