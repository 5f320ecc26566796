/** /users: the users of all companies. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({
  model: { type: User },
  query: {
    exclude: ['password'],
    join: {
      company: { exclude: ['description'] },
      profile: {},
      projects: {},
    },
    sort: [{ field: 'id', order: 'ASC' }],
    limit: 50,
    maxLimit: 500,
  },
})
@ApiTags('users')
@Controller('users')
export class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
