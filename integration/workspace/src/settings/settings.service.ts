/** The records of /settings, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditedService } from '../audit/audited.service.js';
import { Setting } from './setting.entity.js';

@Injectable()
export class SettingsService extends AuditedService<Setting> {
  constructor(@InjectRepository(Setting) records: Repository<Setting>) {
    super(records);
  }
}
