/** The example of `docs/transactions.md`: a verb in a transaction. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Company, User } from './user.entity.js';

@Injectable()
export class CompaniesService extends TypeOrmCrudService<Company> {
  constructor(@InjectRepository(Company) companies: Repository<Company>) {
    super(companies);
  }

  // Deletes a company and its inactive users. If an active one is left, that is a 409:
  // nothing is deleted.
  override async deleteOne(request: CrudRequest): Promise<void | Company> {
    return this.repo.manager.transaction(async (manager) => {
      const companies = this.within(manager);
      const { id } = await companies.getOne(request);
      await manager.delete(User, { companyId: id, isActive: false });

      return super.deleteOne.call(companies, request);
    });
  }
}
