/** The records of /settings, from their repository. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Setting } from './setting.entity.js';

@Injectable()
export class SettingsService extends TypeOrmCrudService<Setting> {
  constructor(@InjectRepository(Setting) records: Repository<Setting>) {
    super(records);
  }
}
