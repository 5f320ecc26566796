/** nestwright on Drizzle as a user writes it. */
import 'reflect-metadata';
import { Controller, Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Crud } from '@nestwright/crud';
import { DrizzleCrudService } from '@nestwright/crud-drizzle';
import { connect, type Database, projects, userProjects, users } from '../domain/tables.js';
import { CreateUserDto, UpdateUserDto } from '../domain/user.dto.js';
import { serve } from './serve.js';

@Injectable()
class UsersService extends DrizzleCrudService<typeof users> {
  constructor(@Inject('DB') db: Database) {
    super(db, users, { createdAt: 'createdAt', manyToMany: { projects: { table: projects, through: userProjects } } });
  }
}

@Crud({
  model: { type: users },
  dto: { create: CreateUserDto, update: UpdateUserDto },
  query: { join: { company: {}, mainProject: {}, projects: {} } },
})
@Controller('users')
class UsersController {
  constructor(public service: UsersService) {}
}

@Module({ controllers: [UsersController], providers: [UsersService, { provide: 'DB', useFactory: connect }] })
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
