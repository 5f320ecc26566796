/** The second example of `docs/auth.md`: one record without a key. */
import { Controller, UseGuards } from '@nestjs/common';
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { User, UserGuard, UsersService } from './projects.js';

@Crud({
  model: { type: User },
  routes: { only: ['getOneBase', 'updateOneBase'] },
  params: { id: { primary: true, disabled: true } },
})
@CrudAuth({ property: 'user', filter: (user: User) => ({ id: user.id }) })
@UseGuards(UserGuard)
@Controller('me')
export class MeController implements CrudController<User> {
  constructor(public service: UsersService) {}
}
