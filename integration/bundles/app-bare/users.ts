/** The resource of an application without the optional peers: a Standard Schema guards its bodies, an option hides a column. */
import { Controller, Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Crud, type CrudController, type StandardSchema } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { Repository } from 'typeorm';
import { User } from './user.entity.js';

const body: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'by hand',
    validate(value) {
      const { email } = value as { email?: unknown };
      const isAddress = typeof email === 'string' && email.includes('@');

      return isAddress ? { value } : { issues: [{ message: 'must be an address', path: ['email'] }] };
    },
  },
};

@Injectable()
export class UsersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }
}

@Crud({ model: { type: User }, dto: { create: body, update: body }, query: { exclude: ['secret'] } })
@Controller('users')
export class UsersController implements CrudController<User> {
  constructor(@Inject(UsersService) readonly service: UsersService) {}
}
