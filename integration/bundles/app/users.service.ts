/** The service of the users, by the repository that Nest injects. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class UsersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }
}
