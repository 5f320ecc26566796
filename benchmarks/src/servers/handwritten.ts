/** The controller that one writes by hand from the documentation of NestJS and TypeORM: ValidationPipe, DTOs, QueryBuilder, no avoidable query. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsBooleanString, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Repository } from 'typeorm';
import { Company } from '../domain/company.entity.js';
import { typeOrmOptions } from '../domain/connection.js';
import { CreateUserDto, CreateUsersDto, UpdateUserDto } from '../domain/user.dto.js';
import { User } from '../domain/user.entity.js';
import { serve } from './serve.js';

class ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit = 10;

  /** Records after this id. */
  @Type(() => Number)
  @IsInt()
  after = 0;
}

class ListUsersQuery extends ListQuery {
  @IsOptional()
  @IsIn(['owners', 'projects'])
  with?: 'owners' | 'projects';
}

class PageUsersQuery extends ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @Type(() => Number)
  @IsInt()
  companyId!: number;

  @IsBooleanString()
  isActive!: string;
}

@Injectable()
class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(Company) private readonly companies: Repository<Company>,
  ) {}

  async findOne(id: number): Promise<User> {
    const user = await this.users.findOneBy({ id });

    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  findMany({ limit, after, with: related }: ListUsersQuery): Promise<User[]> {
    const query = this.users.createQueryBuilder('user').where('user.id > :after', { after }).orderBy('user.id');

    if (related === 'projects') {
      // A to-many relation multiplies rows: take() pages by record, as TypeORM's documentation says.
      return query.leftJoinAndSelect('user.projects', 'project').take(limit).getMany();
    }
    if (related === 'owners')
      query.leftJoinAndSelect('user.company', 'company').leftJoinAndSelect('user.mainProject', 'mainProject');

    return query.limit(limit).getMany();
  }

  async findPage({ limit, page, companyId, isActive }: PageUsersQuery) {
    const [data, total] = await this.users
      .createQueryBuilder('user')
      .where('user.companyId = :companyId', { companyId })
      .andWhere('user.isActive = :isActive', { isActive: isActive === 'true' })
      .orderBy('user.lastName')
      .addOrderBy('user.id')
      .take(limit)
      .skip((page - 1) * limit)
      .getManyAndCount();

    return { data, count: data.length, total, page, pageCount: Math.ceil(total / limit) };
  }

  findCompanies({ limit, after }: ListQuery): Promise<Company[]> {
    return this.companies
      .createQueryBuilder('company')
      .leftJoinAndSelect('company.projects', 'project')
      .leftJoin('project.users', 'user')
      .addSelect(['user.id', 'user.email', 'user.firstName', 'user.lastName', 'user.role'])
      .where('company.id > :after', { after })
      .orderBy('company.id')
      .take(limit)
      .getMany();
  }

  create(dto: CreateUserDto): Promise<User> {
    return this.users.save(this.users.create(dto));
  }

  async createMany({ bulk }: CreateUsersDto): Promise<User[]> {
    const users = this.users.create(bulk);

    await this.users.insert(users);
    return users;
  }

  async update(id: number, dto: UpdateUserDto): Promise<User> {
    await this.users.update(id, dto);
    return this.findOne(id);
  }
}

@Controller('users')
class UsersController {
  constructor(private readonly service: UsersService) {}

  @Get()
  findMany(@Query() query: ListUsersQuery): Promise<User[]> {
    return this.service.findMany(query);
  }

  @Get('page')
  findPage(@Query() query: PageUsersQuery): Promise<object> {
    return this.service.findPage(query);
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number): Promise<User> {
    return this.service.findOne(id);
  }

  @Post()
  create(@Body() dto: CreateUserDto): Promise<User> {
    return this.service.create(dto);
  }

  @Post('bulk')
  createMany(@Body() dto: CreateUsersDto): Promise<User[]> {
    return this.service.createMany(dto);
  }

  @Patch(':id')
  update(@Param('id', ParseIntPipe) id: number, @Body() dto: UpdateUserDto): Promise<User> {
    return this.service.update(id, dto);
  }
}

@Controller('companies')
class CompaniesController {
  constructor(private readonly service: UsersService) {}

  @Get()
  findMany(@Query() query: ListQuery): Promise<Company[]> {
    return this.service.findCompanies(query);
  }
}

@Module({
  imports: [TypeOrmModule.forRoot(typeOrmOptions()), TypeOrmModule.forFeature([User, Company])],
  controllers: [UsersController, CompaniesController],
  providers: [UsersService],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });

app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await serve(app);
