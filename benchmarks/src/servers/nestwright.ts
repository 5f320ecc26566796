/** nestwright as a user writes it. BENCH_HTTP (express, fastify), BENCH_INTERCEPTOR and BENCH_FAST_PATHS change how it is set up. */
import 'reflect-metadata';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudController } from '@nestwright/crud';
import { configureCrudDatabase, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { DataSource, Repository } from 'typeorm';
import { Company } from '../domain/company.entity.js';
import { typeOrmOptions } from '../domain/connection.js';
import { CreateUserDto, UpdateUserDto } from '../domain/user.dto.js';
import { User } from '../domain/user.entity.js';
import { serve } from './serve.js';

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

/** An application's own interceptor, which sees the records on their way out: what is sent must be entities. */
class SeesRecords implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((body: unknown) => body));
  }
}

const { BENCH_HTTP, BENCH_INTERCEPTOR, BENCH_FAST_PATHS } = process.env;
const app = await NestFactory.create(
  AppModule,
  BENCH_HTTP === 'fastify' ? new FastifyAdapter() : new ExpressAdapter(),
  {
    logger: ['error', 'fatal'],
  },
);

if (BENCH_INTERCEPTOR) app.useGlobalInterceptors(new SeesRecords());
if (BENCH_FAST_PATHS === 'off') configureCrudDatabase(app.get(DataSource), { fastPaths: false });
await serve(app);
