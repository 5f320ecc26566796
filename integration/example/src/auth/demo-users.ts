/** Whom a demo request may act for. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from '../users/user.entity.js';

@Injectable()
export class DemoUsers {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async find(id: number): Promise<object | undefined> {
    return (await this.users.findOneBy({ id })) ?? undefined;
  }
}
