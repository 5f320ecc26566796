/** /memberships: records addressed by two ids, /memberships/:companyId/:userId. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { Membership } from './membership.entity.js';
import { MembershipsService } from './memberships.service.js';

@Crud({
  model: { type: Membership },
  params: {
    companyId: { field: 'companyId', type: 'number', primary: true },
    userId: { field: 'userId', type: 'number', primary: true },
  },
  query: {
    join: {
      company: {},
      user: { exclude: ['password'] },
    },
  },
})
@ApiTags('memberships')
@Controller('memberships')
export class MembershipsController implements CrudController<Membership> {
  constructor(public service: MembershipsService) {}
}
