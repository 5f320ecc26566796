/** @dataui/crud as its documentation writes it, on the newest Nest and TypeORM that it runs on. */
import 'reflect-metadata';
import { Crud, type CrudController } from '@dataui/crud';
import { TypeOrmCrudService } from '@dataui/crud-typeorm';
import { Controller, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Company } from '../src/domain/company.entity.js';
import { typeOrmOptions } from '../src/domain/connection.js';
import { CreateUserDto, UpdateUserDto } from '../src/domain/user.dto.js';
import { User } from '../src/domain/user.entity.js';
import { serve } from '../src/servers/serve.js';

@Injectable()
class UsersService extends TypeOrmCrudService<User> {
  constructor(@InjectRepository(User) users: Repository<User>) {
    super(users);
  }
}

@Injectable()
class CompaniesService extends TypeOrmCrudService<Company> {
  constructor(@InjectRepository(Company) companies: Repository<Company>) {
    super(companies);
  }
}

@Crud({
  model: { type: User },
  dto: { create: CreateUserDto, update: UpdateUserDto },
  query: { join: { company: {}, mainProject: {}, projects: {} } },
})
@Controller('users')
class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}
}

@Crud({
  model: { type: Company },
  query: { join: { projects: {}, 'projects.users': {} } },
})
@Controller('companies')
class CompaniesController implements CrudController<Company> {
  constructor(public service: CompaniesService) {}
}

@Module({
  imports: [TypeOrmModule.forRoot(typeOrmOptions()), TypeOrmModule.forFeature([User, Company])],
  controllers: [UsersController, CompaniesController],
  providers: [UsersService, CompaniesService],
})
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
