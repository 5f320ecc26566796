/** Users, whose bodies are validated in groups, and what their service is sent. */
import { type CrudOptions, CrudValidationGroups } from '@nestwright/crud';
import { Exclude, Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { catalog, column, relation } from '../plan/catalogs.js';
import { type Api, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource, sentTo } from './resource.js';

const { CREATE, UPDATE } = CrudValidationGroups;

class Profile {
  @IsString({ always: true }) @MaxLength(5, { always: true }) city!: string;
  @IsOptional({ always: true }) @IsString({ always: true }) bio? = 'none';
}

export class User {
  @IsOptional({ always: true }) id?: number;

  @IsOptional({ groups: [UPDATE] })
  @IsNotEmpty({ groups: [CREATE] })
  @IsString({ always: true })
  name!: string;
  @Exclude() @IsOptional({ groups: [UPDATE] }) @IsString({ always: true }) password?: string;
  @IsOptional({ always: true }) @IsString({ always: true }) role? = 'guest';
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @Type(() => Profile) profile?: Profile;
  @IsOptional({ groups: [UPDATE] }) @IsInt({ always: true }) companyId!: number;
  @IsOptional({ always: true }) company?: object;
}

const key = column('id', 'integer', { primary: true, autoIncrement: true, generated: true, hasDefault: true });
const [companyId, company] = [column('companyId', 'integer'), catalog('Company', [key])];
const texts = ['name', 'password', 'role'].map((name) => column(name, 'text'));
const createdAt = column('createdAt', 'datetime', { source: 'createDate' });
const fixed = column('fixed', 'text', { updatable: false });
const references = () => [{ column: companyId, references: key }];
export const users = catalog(
  'User',
  [key, ...texts, companyId, createdAt, fixed],
  [relation('company', 'many-to-one', () => company, { references })],
);

export class Users extends MemoryService {
  constructor() {
    super([{ id: 1, name: 'Ada', companyId: 1 }], users);
  }
}

const serialize = { get: false, create: false, update: false, replace: false, createMany: false } as const;

export const serve = (more: Partial<CrudOptions> = {}, path = 'users', ...decorators: ClassDecorator[]): Promise<Api> =>
  start({
    controllers: [resource(Users, { model: { type: User }, serialize, ...more }, path, ...decorators)],
    providers: [Users],
  });

/** What the service was sent last; where a request is given, once this is answered with success. */
export const sent = (api: Api, write?: ReturnType<Api['get']>): Promise<unknown> => sentTo(Users, api, write);
