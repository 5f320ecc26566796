/** Resources over entities that hide values, and how every hidden value is changed. */
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InjectRepository, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { Crud, CrudAuth, type CrudController, type QueryOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { DataSource, Repository } from 'typeorm';
import { type HttpPlatform, listen, type TestDatabase } from '../../../test-support/index.js';
import { Cat, Company, Employee, ENTITIES, Lion, Note, Person, Pet } from './entities.js';

@Injectable()
class EmployeesService extends TypeOrmCrudService<Employee> {
  constructor(@InjectRepository(Employee) repository: Repository<Employee>) {
    super(repository);
  }
}

@Injectable()
class PetsService extends TypeOrmCrudService<Pet> {
  constructor(@InjectRepository(Pet) repository: Repository<Pet>) {
    super(repository);
  }
}

/** Stands in for authentication: the header `x-groups` is believed. */
@Injectable()
class GroupsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { groups: (request.headers['x-groups'] ?? '').split(',').filter((group) => group !== '') };

    return true;
  }
}

const QUERY: QueryOptions<Employee> = {
  exclude: ['byQuery'],
  join: {
    company: { exclude: ['bare', 'box.open'] },
    'company.owner': { alias: 'boss' },
    'company.typedOwner': {},
    closedCompany: {},
    groupedCompany: {},
    publicCompany: {},
    notes: { exclude: ['bare'] },
    closedNotes: {},
    publicNotes: {},
    pets: {},
  },
};

@Crud({ model: { type: Employee }, validation: false, query: QUERY })
@Controller('employees')
class EmployeesController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

@Crud({ model: { type: Employee }, validation: false, query: QUERY })
@CrudAuth({ property: 'user', groups: ({ groups }: { groups: string[] }) => groups })
@UseGuards(GroupsGuard)
@Controller('grouped')
class GroupedController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

@Crud({ model: { type: Employee }, validation: false, query: QUERY })
@CrudAuth({ classTransformOptions: () => ({ excludePrefixes: ['company', 'open'] }) })
@Controller('prefixed')
class PrefixedController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

@Exclude()
export class CompanyDto {
  @Expose() open!: string;
}

@Exclude()
export class EmployeeDto {
  @Expose() id!: number;
  @Expose({ name: 'title' }) open!: string;
  /** Of what the entity hides, nothing is left to be shown. */
  @Expose() excluded!: string;
  @Expose() @Type(() => CompanyDto) company!: CompanyDto;
  @Expose() @Transform(({ value }: { value?: boolean }) => (value ? 'yes' : 'no')) openFlag!: string;
}

const DTO_JOIN: QueryOptions<Employee>['join'] = { company: {}, notes: {}, publicCompany: { select: false } };

@Crud({
  model: { type: Employee },
  validation: false,
  serialize: { get: EmployeeDto, update: EmployeeDto },
  query: { join: DTO_JOIN, formats: ['openFlag'] },
})
@Controller('summaries')
class SummariesController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

export class EmployeePage {
  @Type(() => EmployeeDto) data!: EmployeeDto[];
  total!: number;
}

@Crud({
  model: { type: Employee },
  validation: false,
  serialize: { getMany: EmployeePage },
  query: { join: DTO_JOIN, alwaysPaginate: true, formats: ['openFlag'] },
  routes: { only: ['getManyBase'] },
})
@Controller('pages')
class PagesController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

@Crud({
  model: { type: Employee },
  validation: false,
  serialize: { get: EmployeeDto },
  query: {
    join: DTO_JOIN,
    exclude: ['byQuery'],
    conditions: ['companyId', 'box', 'notes.bare', 'byQuery', 'unselected'],
    sort: [{ field: 'excluded', order: 'ASC' }],
    filter: { excluded: { $notnull: true } },
  },
})
@Controller('freed')
class FreedController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

/** GET many is answered as the database has it, but for what the query itself excludes. */
@Crud({ model: { type: Employee }, validation: false, serialize: { getMany: false }, query: { exclude: ['byQuery'] } })
@Controller('raw')
class RawController implements CrudController<Employee> {
  constructor(public service: EmployeesService) {}
}

const PETS = { join: { employee: { exclude: ['byQuery'] } } } satisfies QueryOptions<Pet>;

@Crud({ model: { type: Pet }, validation: false, query: PETS })
@Controller('pets')
class PetsController implements CrudController<Pet> {
  constructor(public service: PetsService) {}
}

@Crud({ model: { type: Pet }, validation: false, query: PETS })
@CrudAuth({ property: 'user', groups: ({ groups }: { groups: string[] }) => groups })
@UseGuards(GroupsGuard)
@Controller('grouped-pets')
class GroupedPetsController implements CrudController<Pet> {
  constructor(public service: PetsService) {}
}

const IDS = [1, 2, 3];

/** Three records of everything; `secret` gives each hidden value, of a number or a flag as well. */
async function fill({ manager }: DataSource, secret: (id: number) => string): Promise<void> {
  const box = (id: number) => ({
    open: `o${id}`,
    secret: secret(id),
    inner: { open: `o${id}`, secret: secret(id) },
    closed: { open: secret(id), secret: secret(id) },
  });
  const clear = (id: number, open = `o${id}`) => ({ open, bare: secret(id) });
  const number = (id: number) => secret(id).charCodeAt(0);

  for (const id of IDS) {
    const own = { id, open: `o${id}`, secret: secret(id) };
    await manager.save(Person, { ...own });
    await manager.save(Company, { ...own, bare: secret(id), box: box(id), owner: { id } });
    await manager.save(Employee, {
      id,
      open: `o${id}`,
      companyId: id,
      openFlag: id > 1,
      byQuery: secret(id),
      unselected: secret(id),
      excluded: secret(id),
      excludedNumber: number(id),
      excludedFlag: number(id) % 2 === 0,
      inherited: secret(id),
      grouped: secret(id),
      constant: secret(id),
      masked: `${secret(id)}-${id}`,
      computedOf: secret(id),
      box: box(id),
      closedBox: clear(id, secret(id)),
      groupedBox: clear(id, secret(id)),
      publicBox: clear(id),
      discreetBox: clear(id),
      settings: { ...clear(id) },
    });
    await manager.save(Note, { ...own, bare: secret(id), employee: { id } });
    const pet = { id, open: `o${id}`, employee: { id } };
    if (id === 1) {
      await manager.save(Pet, { ...pet, tag: 'openTag' });
    } else {
      const cat = { ...pet, tag: secret(id), openPurr: `o${id}`, claws: secret(id), basket: box(id) };
      await (id === 2 ? manager.save(Cat, cat) : manager.save(Lion, { ...cat, roar: secret(id) }));
    }
  }
}

/** Resources over hidden values. */
export interface HidingApplication {
  readonly app: INestApplication;
  readonly url: string;
  /** Gives every hidden value anew, of the record with an id, and leaves everything else as it was. */
  hide(secret: (id: number) => string): Promise<void>;
}

/** @example const { url, hide } = await openHiding(database, 'express'); */
export async function openHiding(database: TestDatabase, platform: HttpPlatform): Promise<HidingApplication> {
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({
        ...database.connection,
        entities: ENTITIES,
        synchronize: true,
        retryAttempts: 0,
      } as TypeOrmModuleOptions),
      TypeOrmModule.forFeature(ENTITIES),
    ],
    controllers: [
      EmployeesController,
      GroupedController,
      PrefixedController,
      SummariesController,
      PagesController,
      FreedController,
      RawController,
      PetsController,
      GroupedPetsController,
    ],
    providers: [EmployeesService, PetsService],
  }).compile();
  const dataSource = module.get(DataSource);
  await fill(dataSource, (id) => `m${id}`);

  return { ...(await listen(module, platform)), hide: (secret) => fill(dataSource, secret) };
}
