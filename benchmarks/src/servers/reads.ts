/** nestwright with what is off by default beside what is on: pages by cursor, entity tags, hooks; each on a path of its own, over the same users. */
import 'reflect-metadata';
import { Controller, Inject, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Repository } from 'typeorm';
import { Company } from '../domain/company.entity.js';
import { typeOrmOptions } from '../domain/connection.js';
import { Project } from '../domain/project.entity.js';
import { User } from '../domain/user.entity.js';
import { serve } from './serve.js';

class PlainUsers extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }
}

class ToldUsers extends PlainUsers {
  override afterCommit(): void {
    // What is measured is that it is called.
  }
}

class WatchedUsers extends PlainUsers {
  override beforeChange(): void {
    // What is measured is that it is called.
  }

  override afterChange(): void {
    // What is measured is that it is called.
  }
}

function users(path: string, service: Type<PlainUsers>, query: CrudOptions<User>['query'] = {}): Type<unknown> {
  @Crud({ model: { type: User }, query })
  @Controller(path)
  class UsersController {
    constructor(@Inject(service) public service: PlainUsers) {}
  }

  return UsersController;
}

@Module({
  imports: [TypeOrmModule.forRoot(typeOrmOptions()), TypeOrmModule.forFeature([User, Company, Project])],
  controllers: [
    users('users', PlainUsers),
    users('users-by-cursor', PlainUsers, { cursor: true }),
    users('users-with-tags', PlainUsers, { etag: true }),
    users('told-users', ToldUsers),
    users('watched-users', WatchedUsers),
  ],
  providers: [PlainUsers, ToldUsers, WatchedUsers],
})
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
