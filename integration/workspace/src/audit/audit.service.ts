/** The records of /audit, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Audit } from './audit.entity.js';

@Injectable()
export class AuditService extends TypeOrmCrudService<Audit> {
  constructor(@InjectRepository(Audit) records: Repository<Audit>) {
    super(records);
  }
}
