/** Routes that write many records. */
import { Controller } from '@nestjs/common';
import { Crud, type CrudController } from '@nestwright/crud';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({
  model: { type: User },
  routes: { updateManyBase: true, deleteManyBase: { returnDeleted: true, maxBulk: 100 } },
})
@Controller('bulk-users')
export class BulkUsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
