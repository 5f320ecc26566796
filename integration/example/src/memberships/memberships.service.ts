/** The records of /memberships, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Membership } from './membership.entity.js';

@Injectable()
export class MembershipsService extends TypeOrmCrudService<Membership> {
  constructor(@InjectRepository(Membership) memberships: Repository<Membership>) {
    super(memberships);
  }
}
