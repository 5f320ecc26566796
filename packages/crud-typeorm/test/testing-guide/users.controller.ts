/** The resource that the tests of `docs/testing.md` are about. */
import { Controller } from '@nestjs/common';
import { Crud, type CrudController } from '@nestwright/crud';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({ model: { type: User } })
@Controller('users')
export class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
