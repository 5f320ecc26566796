/** An example of `docs/services.md`: steps of verbs that are overridden. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequestOptions } from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class ActiveUsersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }

  // Inactive users are in no list and no total, and can be neither read nor written.
  override async createBuilder(
    parsed: ParsedRequestParams,
    options: CrudRequestOptions,
    many?: boolean,
    deleted?: boolean,
  ) {
    const builder = await super.createBuilder(parsed, options, many, deleted);

    return builder.andWhere('User.isActive = :active', { active: true });
  }

  protected override prepareEntityBeforeSave(
    dto: Partial<User>,
    parsed: ParsedRequestParams,
  ): User | undefined {
    const user = super.prepareEntityBeforeSave(dto, parsed);

    return user && Object.assign(user, { email: user.email.toLowerCase() });
  }

  override createPageInfo(users: User[], total: number, limit: number, offset: number) {
    return {
      ...super.createPageInfo(users, total, limit, offset),
      hasMore: offset + users.length < total,
    };
  }
}
