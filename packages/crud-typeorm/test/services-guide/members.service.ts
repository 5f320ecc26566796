/** An example of `docs/own-routes.md`: a method for a handler of its own, in a transaction. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

@Injectable()
export class MembersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }

  // A member outside the scope of the request is a 404. The first of the company stays active.
  async deactivate(request: CrudRequest): Promise<User> {
    return this.repo.manager.transaction(async (manager) => {
      const members = this.within(manager);
      const { id, companyId } = await members.getOne(request);
      const first = await members.repo.findOneOrFail({
        where: { companyId },
        order: { id: 'ASC' },
      });

      if (id === first.id) throw this.throwBadRequestException('The first member stays active');

      return members.updateOne(request, { isActive: false });
    });
  }
}
