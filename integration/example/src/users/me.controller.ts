/** /me: the demo user, who needs no id to find themselves. */
import { Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { DemoUserGuard } from '../auth/demo-user.guard.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Crud({
  model: { type: User },
  params: { id: { field: 'id', type: 'number', primary: true, disabled: true } },
  query: { exclude: ['password'] },
  routes: { only: ['getOneBase', 'updateOneBase'] },
})
@CrudAuth({
  property: 'user',
  filter: (user: User) => ({ id: user.id }),
})
@ApiTags('me')
@ApiBearerAuth()
@UseGuards(DemoUserGuard)
@Controller('me')
export class MeController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
