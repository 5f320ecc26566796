/** What examples in the documentation import from `./users.service.js`. */
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { User } from './user.entity.js';

export class UsersService extends TypeOrmCrudService<User> {}
