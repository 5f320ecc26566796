/** The records of /tenant, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Tenant } from './tenant.entity.js';

@Injectable()
export class TenantsService extends TypeOrmCrudService<Tenant> {
  constructor(@InjectRepository(Tenant) records: Repository<Tenant>) {
    super(records);
  }
}
