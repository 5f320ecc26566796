/** Resources over entities that hide values, and how every hidden value is changed. */
import { type CanActivate, type ExecutionContext, type INestApplication, UseGuards } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { DataSource } from 'typeorm';
import { looseResource, serve } from '../../../../packages/crud-typeorm/test/support/resources.js';
import type { HttpPlatform, TestDatabase } from '../../../test-support/index.js';
import { Cat, Company, Employee, ENTITIES, Lion, Note, Person, Pet } from './entities.js';

/** Stands in for authentication: the header `x-groups` is believed. */
const groupsGuard: CanActivate = {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { groups: (request.headers['x-groups'] ?? '').split(',').filter((group) => group !== '') };

    return true;
  },
};

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

export class EmployeePage {
  @Type(() => EmployeeDto) data!: EmployeeDto[];
  total!: number;
}

const QUERY = {
  exclude: ['byQuery'],
  join: {
    company: { exclude: ['bare', 'box.open'] },
    'company.owner': { alias: 'boss' },
    notes: { exclude: ['bare'] },
    ...{ 'company.typedOwner': {}, closedCompany: {}, groupedCompany: {}, publicCompany: {} },
    ...{ closedNotes: {}, publicNotes: {}, pets: {} },
  },
};
const DTO_JOIN = { company: {}, notes: {}, publicCompany: { select: false } };
const PETS = { join: { employee: { exclude: ['byQuery'] } } };
const BY_GROUPS = { property: 'user', groups: ({ groups }: { groups: string[] }) => groups };

const employees = (path: string, options: Parameters<typeof looseResource>[2] = {}) =>
  looseResource(Employee, path, { validation: false, query: QUERY, ...options });

const grouped = employees('grouped', { auth: BY_GROUPS });
const groupedPets = looseResource(Pet, 'grouped-pets', { validation: false, query: PETS, auth: BY_GROUPS });
for (const { controller } of [grouped, groupedPets]) UseGuards(groupsGuard)(controller);

const RESOURCES = [
  employees('employees'),
  grouped,
  employees('prefixed', { auth: { classTransformOptions: () => ({ excludePrefixes: ['company', 'open'] }) } }),
  employees('summaries', {
    serialize: { get: EmployeeDto, update: EmployeeDto },
    query: { join: DTO_JOIN, formats: ['openFlag'] },
  }),
  employees('pages', {
    serialize: { getMany: EmployeePage },
    query: { join: DTO_JOIN, alwaysPaginate: true, formats: ['openFlag'] },
    routes: { only: ['getManyBase'] },
  }),
  employees('freed', {
    serialize: { get: EmployeeDto },
    query: {
      join: DTO_JOIN,
      exclude: ['byQuery'],
      conditions: ['companyId', 'box', 'notes.bare', 'byQuery', 'unselected'],
      sort: [{ field: 'excluded', order: 'ASC' }],
      filter: { excluded: { $notnull: true } },
    },
  }),
  // GET many is answered as the database has it, but for what the query itself excludes.
  employees('raw', { serialize: { getMany: false }, query: { exclude: ['byQuery'] } }),
  looseResource(Pet, 'pets', { validation: false, query: PETS }),
  groupedPets,
];

const IDS = [1, 2, 3];
const SECRET_TEXTS = ['byQuery', 'unselected', 'excluded', 'inherited', 'grouped', 'constant', 'computedOf'];

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
      ...Object.fromEntries(SECRET_TEXTS.map((name) => [name, secret(id)])),
      excludedNumber: number(id),
      excludedFlag: number(id) % 2 === 0,
      masked: `${secret(id)}-${id}`,
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
  const { app, url, source } = await serve(database, ENTITIES, RESOURCES, { platform });
  await fill(source, (id) => `m${id}`);

  return { app, url, hide: (secret) => fill(source, secret) };
}
