/** The vault: two tenants' folders and notes, scoped by path, by text, by enum, by a column and by a relation. */
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
import { Crud, CrudAuth, type CrudController } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsString } from 'class-validator';
import { DataSource, Repository } from 'typeorm';
import { type HttpPlatform, listen, type TestDatabase } from '../../../test-support/index.js';
import { ENTITIES, Folder, Kind, Label, Note, Tenant } from './entities.js';

@Injectable()
export class FoldersService extends TypeOrmCrudService<Folder> {
  constructor(@InjectRepository(Folder) repository: Repository<Folder>) {
    super(repository);
  }
}

@Injectable()
export class NotesService extends TypeOrmCrudService<Note> {
  constructor(@InjectRepository(Note) repository: Repository<Note>) {
    super(repository);
  }
}

@Injectable()
export class LabelsService extends TypeOrmCrudService<Label> {
  constructor(@InjectRepository(Label) repository: Repository<Label>) {
    super(repository);
  }
}

/** Stands in for authentication: the header `x-tenant` is believed. */
@Injectable()
class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { tenant: request.headers['x-tenant'] };

    return true;
  }
}

interface Visitor {
  readonly tenant: string;
}

const HIDDEN = { exclude: ['token', 'meta'] };

const OF_MANY = {
  countBase: true,
  updateManyBase: true,
  replaceManyBase: true,
  deleteManyBase: true,
  recoverManyBase: true,
} as const;

/** Scoped by a path parameter that is any text. */
@Crud({
  model: { type: Folder },
  validation: false,
  params: { tenant: { field: 'tenantCode', type: 'string' }, id: { field: 'id', type: 'number', primary: true } },
  query: { cursor: true, etag: true, join: { tenant: {}, notes: HIDDEN, 'notes.labels': {} } },
  routes: OF_MANY,
})
@Controller('tenants/:tenant/folders')
class TenantFoldersController implements CrudController<Folder> {
  constructor(public service: FoldersService) {}
}

/** Scoped by a column, which writes must keep to by themselves. */
@Crud({
  model: { type: Folder },
  validation: false,
  query: { cursor: true, etag: true, join: { notes: { alias: 'papers', ...HIDDEN }, tenant: {} } },
  routes: { ...OF_MANY, replaceOneBase: { merge: true } },
})
@CrudAuth({ property: 'user', filter: ({ tenant }: Visitor) => ({ tenantCode: tenant }) })
@UseGuards(TenantGuard)
@Controller('my/folders')
class MyFoldersController implements CrudController<Folder> {
  constructor(public service: FoldersService) {}
}

/** Scoped by a column of a relation, whose values the body decides. */
@Crud({
  model: { type: Note },
  validation: false,
  query: {
    ...HIDDEN,
    cursor: true,
    etag: true,
    softDelete: true,
    join: { folder: {}, 'folder.tenant': {}, labels: {} },
  },
  routes: { ...OF_MANY, deleteOneBase: { returnDeleted: true }, createOneBase: { returnShallow: true } },
})
@CrudAuth({ property: 'user', filter: ({ tenant }: Visitor) => ({ 'folder.tenantCode': tenant }) })
@UseGuards(TenantGuard)
@Controller('my/notes')
class MyNotesController implements CrudController<Note> {
  constructor(public service: NotesService) {}
}

/** Scoped by a path parameter that is one of an enumeration; unknown names in `fields` and `join` are left out. */
@Crud({
  model: { type: Note },
  validation: false,
  params: { kind: { field: 'kind', enum: Kind }, id: { field: 'id', type: 'number', primary: true } },
  query: { ...HIDDEN, cursor: true, unknown: 'ignore' },
  routes: OF_MANY,
})
@Controller('kinds/:kind/notes')
class KindNotesController implements CrudController<Note> {
  constructor(public service: NotesService) {}
}

class LabelDto {
  @IsString()
  code!: string;

  @IsString()
  text!: string;
}

/** Addressed by a text, and strict: its bodies may say nothing but what they should. */
@Crud({
  model: { type: Label },
  dto: { create: LabelDto, update: LabelDto },
  validation: { whitelist: true, forbidNonWhitelisted: true },
  params: { code: { field: 'code', type: 'string', primary: true } },
  routes: OF_MANY,
})
@Controller('labels')
class LabelsController implements CrudController<Label> {
  constructor(public service: LabelsService) {}
}

/** Three folders of two notes: the first two are the tenant north's, the third is south's. */
async function fill(dataSource: DataSource): Promise<void> {
  const { manager } = dataSource;
  await manager.insert(Tenant, [
    { code: 'north', name: 'North', apiKey: 'key-of-north' },
    { code: 'south', name: 'South', apiKey: 'key-of-south' },
  ]);
  await manager.insert(Label, [
    { code: 'red', text: 'Red' },
    { code: 'blue', text: null },
  ]);
  for (const [index, tenantCode] of ['north', 'north', 'south'].entries()) {
    const { id } = await manager.save(Folder, { tenantCode, title: `folder ${index + 1}` });
    await manager.insert(
      Note,
      Object.values(Kind).map((kind) => ({
        folderId: id,
        kind,
        title: `${kind} of ${id}`,
        secret: `hidden-${kind}-${id}`,
        token: `hidden-${kind}-${id}`,
        pin: `hidden-${kind}-${id}`,
        meta: { level: `hidden-${kind}-${id}` },
      })),
    );
  }
}

/** @example const { app, url } = await openVault(database, 'express'); */
export async function openVault(
  database: TestDatabase,
  platform: HttpPlatform,
): Promise<{ app: INestApplication; url: string }> {
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
      TenantFoldersController,
      MyFoldersController,
      MyNotesController,
      KindNotesController,
      LabelsController,
    ],
    providers: [FoldersService, NotesService, LabelsService],
  }).compile();
  await fill(module.get(DataSource));

  return listen(module, platform);
}
