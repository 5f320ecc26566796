/** An example of `docs/services.md`: a verb that is overridden. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class UsersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }

  override async deleteOne(request: CrudRequest): Promise<void | User> {
    const user = await this.getOne(request);

    if (user.isActive) throw this.throwBadRequestException('An active user cannot be deleted');

    return super.deleteOne(request);
  }
}
