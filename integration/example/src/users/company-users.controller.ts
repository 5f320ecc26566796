/** /companies/:companyId/users: the users of one company; nothing that a client sends leads out of it. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({
  model: { type: User },
  params: {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
  query: {
    exclude: ['password'],
    join: {
      company: {},
      'company.projects': {},
      profile: {},
      projects: {},
    },
  },
  routes: {
    createOneBase: { returnShallow: false },
    updateOneBase: { returnShallow: false },
    replaceOneBase: { returnShallow: false },
  },
})
@ApiTags('users of a company')
@Controller('companies/:companyId/users')
export class CompanyUsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
