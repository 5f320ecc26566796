/** The resource that is attacked. */
import { Controller, Inject } from '@nestjs/common';
import { Crud, type CrudController } from '@nestwright/crud';
import { User } from './user.entity.js';
import { UserChange, UserView } from './user-classes.js';
import { UsersService } from './users.service.js';

@Crud({ model: { type: User }, dto: { update: UserChange }, serialize: { get: UserView } })
@Controller('users')
export class UsersController implements CrudController<User> {
  constructor(@Inject(UsersService) readonly service: UsersService) {}
}
