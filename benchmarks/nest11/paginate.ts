/** nestjs-paginate as its documentation writes it; it only lists, so it only takes part in lists. */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  FilterOperator,
  paginate,
  Paginate,
  type PaginateConfig,
  Paginated,
  type PaginateQuery,
  PaginationType,
} from 'nestjs-paginate';
import { Repository } from 'typeorm';
import { Company } from '../src/domain/company.entity.js';
import { typeOrmOptions } from '../src/domain/connection.js';
import { User } from '../src/domain/user.entity.js';
import { serve } from '../src/servers/serve.js';

/** What all lists of users share. */
const USERS = {
  sortableColumns: ['id', 'lastName'],
  defaultSortBy: [['id', 'ASC']],
  maxLimit: 1000,
  filterableColumns: { id: [FilterOperator.GT], companyId: [FilterOperator.EQ], isActive: [FilterOperator.EQ] },
} satisfies PaginateConfig<User>;

@Controller()
class ListsController {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Get('users')
  list(@Paginate() query: PaginateQuery): Promise<Paginated<User>> {
    return paginate(query, this.users, USERS);
  }

  @Get('users-by-cursor')
  byCursor(@Paginate() query: PaginateQuery): Promise<Paginated<User>> {
    return paginate(query, this.users, { ...USERS, paginationType: PaginationType.CURSOR });
  }

  @Get('users-with-owners')
  owners(@Paginate() query: PaginateQuery): Promise<Paginated<User>> {
    return paginate(query, this.users, { ...USERS, relations: { company: true, mainProject: true } });
  }

  @Get('users-with-projects')
  projects(@Paginate() query: PaginateQuery): Promise<Paginated<User>> {
    return paginate(query, this.users, { ...USERS, relations: { projects: true } });
  }
}

@Module({
  imports: [TypeOrmModule.forRoot(typeOrmOptions()), TypeOrmModule.forFeature([User, Company])],
  controllers: [ListsController],
})
class AppModule {}

await serve(await NestFactory.create(AppModule, { logger: ['error', 'fatal'] }));
