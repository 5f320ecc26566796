/** Resources over entities whose columns are hidden in each of the ways that classes have: every column but `id`, `open…` and keys holds a value that nobody may find out. */
import { type CanActivate, type ExecutionContext, type INestApplication, UseGuards } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { ChildEntity, Column, Entity, TableInheritance } from 'typeorm';
import { type DataSource, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import { looseResource, serve } from '../../../packages/crud-typeorm/test/support/resources.js';
import type { HttpPlatform, TestDatabase } from '../../test-support/index.js';

/** Further relations over the same column, which has one constraint. */
const SAME_COLUMN = { createForeignKeyConstraints: false } as const;
const OF_COMPANY = { name: 'companyId' };
const TEXT = { type: 'varchar', length: 60, nullable: true } as const;
const HR = { groups: ['hr'] };

/** Hides of other classes' values what it does not name itself. */
@Exclude()
class Public {
  @Expose() id!: number;
  @Expose() open!: string;
}

class Inner {
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
}

class Box {
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Inner) inner!: Partial<Inner>;
  @Column(() => Inner) @Exclude() closed!: Inner;
}

/** Hides nothing by itself. */
class Clear {
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
}

@Entity('hiding_companies')
class Company {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Box) box!: Partial<Box>;
}

abstract class Inherited {
  @Column(TEXT) @Exclude() inherited!: string;
}

@Entity('hiding_employees')
class Employee extends Inherited {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column({ type: 'int' }) companyId!: number;
  @Column({ type: 'boolean' }) openFlag!: boolean;
  @Column(TEXT) byQuery!: string;
  @Column({ ...TEXT, select: false }) unselected!: string;
  @Column(TEXT) @Exclude() excluded!: string;
  @Column({ type: 'int' }) @Exclude() excludedNumber!: number;
  @Column({ type: 'boolean' }) @Exclude({ toPlainOnly: true }) excludedFlag!: boolean;
  @Column(TEXT) @Expose(HR) grouped!: string;
  @Column(TEXT) @Transform(({ value }: { value?: string }) => value?.slice(-1).padStart(8, '*')) masked!: string;
  /** What another property is computed of stays hidden itself. */
  @Column(TEXT) @Exclude() computedOf!: string;
  @Expose() @Transform(({ obj }: { obj: Employee }) => obj.computedOf !== undefined) openState?: boolean;
  @Column(() => Box) box!: Partial<Box>;
  @Column(() => Clear) @Exclude() closedBox!: Clear;
  @Column(() => Clear) @Expose(HR) groupedBox!: Relation<Clear>;
  @Column(() => Clear) @Type(() => Public) publicBox!: Clear;
  @Column({ type: 'simple-json', nullable: true }) @Type(() => Public) settings!: Partial<Clear>;
  @ManyToOne(() => Company) company?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Exclude() closedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Expose(HR) groupedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Type(() => Public) publicCompany?: Relation<Company>;
  @OneToMany(() => Note, (note) => note.employee) notes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Exclude() closedNotes?: Relation<Note>[];
  @OneToMany(() => Pet, (pet) => pet.employee) pets?: Relation<Pet>[];
}

@Entity('hiding_notes')
class Note {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @ManyToOne(() => Employee) employee?: Relation<Employee>;
}

@Entity('hiding_pets')
@TableInheritance({ column: { type: 'varchar', name: 'kind', length: 20 } })
class Pet {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  /** Hidden where the pet is a cat. */
  @Column(TEXT) tag!: string;
  @ManyToOne(() => Employee) employee?: Relation<Employee>;
}

@ChildEntity('cat')
class Cat extends Pet {
  @Column(TEXT) openPurr!: string;
  @Column(TEXT) @Exclude() claws!: string;
  @Column(() => Box) basket!: Partial<Box>;
}

// TypeScript takes no decorator on a property that is declared again.
Exclude()(Cat.prototype, 'tag');

const ENTITIES = [Company, Employee, Note, Pet, Cat];

/** Stands in for authentication: the header `x-groups` is believed. */
const groupsGuard: CanActivate = {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { groups: (request.headers['x-groups'] ?? '').split(',').filter((group) => group !== '') };
    return true;
  },
};

@Exclude()
class CompanyDto {
  @Expose() open!: string;
}

@Exclude()
class EmployeeDto {
  @Expose() id!: number;
  @Expose({ name: 'title' }) open!: string;
  /** Of what the entity hides, nothing is left to be shown. */
  @Expose() excluded!: string;
  @Expose() @Type(() => CompanyDto) company!: CompanyDto;
  @Expose() @Transform(({ value }: { value?: boolean }) => (value ? 'yes' : 'no')) openFlag!: string;
}

const QUERY = {
  exclude: ['byQuery'],
  join: {
    company: { alias: 'firm', exclude: ['bare', 'box.open'] },
    notes: { exclude: ['bare'] },
    closedCompany: {},
    groupedCompany: {},
    publicCompany: {},
    closedNotes: {},
    pets: {},
  },
};

const DTO_JOIN = { company: {}, notes: {}, publicCompany: { select: false } };
const BY_DTO = { join: DTO_JOIN, formats: ['openFlag'] };
const PETS = { join: { employee: { exclude: ['byQuery'] } } };
const BY_GROUPS = { property: 'user', groups: ({ groups }: { groups: string[] }) => groups };

const employees = (path: string, options: Parameters<typeof looseResource>[2] = {}) =>
  looseResource(Employee, path, { validation: false, query: QUERY, ...options });

const grouped = employees('grouped', { auth: BY_GROUPS });
UseGuards(groupsGuard)(grouped.controller);

const RESOURCES = [
  employees('employees'),
  grouped,
  employees('prefixed', { auth: { classTransformOptions: () => ({ excludePrefixes: ['company', 'open'] }) } }),
  employees('summaries', { serialize: { get: EmployeeDto, update: EmployeeDto }, query: BY_DTO }),
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
  looseResource(Pet, 'pets', { validation: false, query: PETS }),
];

const SECRET_TEXTS = ['byQuery', 'unselected', 'excluded', 'inherited', 'grouped', 'computedOf'];

/** Three records of everything; `secret` gives each hidden value, of a number or a flag as well. */
async function fill({ manager }: DataSource, secret: (id: number) => string): Promise<void> {
  for (const id of [1, 2, 3]) {
    const [open, hidden] = [`o${id}`, secret(id)];
    const [shut, closed, number] = [{ open, secret: hidden }, { open: hidden, secret: hidden }, hidden.charCodeAt(0)];
    const box = () => ({ ...shut, inner: { ...shut }, closed: { ...closed } });
    const clear = (text = open) => ({ open: text, bare: hidden });
    await manager.save(Company, { id, ...shut, bare: hidden, box: box() });
    await manager.save(Employee, {
      id,
      open,
      companyId: id,
      openFlag: id > 1,
      ...Object.fromEntries(SECRET_TEXTS.map((name) => [name, hidden])),
      excludedNumber: number,
      excludedFlag: number % 2 === 0,
      masked: `${hidden}-${id}`,
      box: box(),
      closedBox: clear(hidden),
      groupedBox: clear(hidden),
      publicBox: clear(),
      settings: clear(),
    });
    await manager.save(Note, { id, ...shut, bare: hidden, employee: { id } });
    const pet = { id, open, employee: { id } };
    const cat = { ...pet, tag: hidden, openPurr: open, claws: hidden, basket: box() };
    await (id === 1 ? manager.save(Pet, { ...pet, tag: 'openTag' }) : manager.save(Cat, cat));
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
