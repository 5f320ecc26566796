import { ConflictException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Change } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class UsersService extends TypeOrmCrudService<User> {
  override readonly needsBefore = ['update', 'replace'] as const;

  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }

  override beforeChange({ record, before }: Change<User>): void {
    if (before && record.email !== before.email) throw new ConflictException('An address stays');
  }
}
