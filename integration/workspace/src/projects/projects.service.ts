/** The records of /projects, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditedService } from '../audit/audited.service.js';
import { Project } from './project.entity.js';

@Injectable()
export class ProjectsService extends AuditedService<Project> {
  constructor(@InjectRepository(Project) records: Repository<Project>) {
    super(records);
  }
}
