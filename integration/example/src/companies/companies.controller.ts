/** /companies: deleted companies are kept and can be recovered. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { CompaniesService } from './companies.service.js';
import { Company } from './company.entity.js';

@Crud({
  model: { type: Company },
  query: {
    softDelete: true,
    maxLimit: 500,
    join: {
      users: { exclude: ['password'] },
      projects: {},
      'users.projects': { alias: 'up' },
    },
  },
})
@ApiTags('companies')
@Controller('companies')
export class CompaniesController implements CrudController<Company> {
  constructor(public service: CompaniesService) {}
}
