/** Resources over entities whose columns are hidden in each of the ways that classes have: every column but `id`, `open…` and keys holds a value that nobody may find out. */
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { ChildEntity, Column, Entity, getMetadataArgsStorage, TableInheritance } from 'typeorm';
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

/** Hides one property of other classes' values. */
class Discreet {
  @Exclude() bare!: string;
}

class Inner {
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
}

class Box extends Inner {
  @Column(() => Inner) inner!: Partial<Inner>;
  @Column(() => Inner) @Exclude() closed!: Inner;
}

/** Hides nothing by itself. */
class Clear {
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
}

abstract class Row {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
}

@Entity('hiding_people')
class Person extends Row {
  @Column(TEXT) @Exclude() secret!: string;
}

@Entity('hiding_companies')
class Company extends Row {
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Box) box!: Partial<Box>;
  @ManyToOne(() => Person) owner?: Relation<Person>;
  @ManyToOne(() => Person, SAME_COLUMN)
  @JoinColumn({ name: 'ownerId' })
  @Type(() => Public)
  typedOwner?: Relation<Person>;
}

abstract class Inherited extends Row {
  @Column(TEXT) @Exclude() inherited!: string;
}

@Entity('hiding_employees')
class Employee extends Inherited {
  @Column({ type: 'int' }) companyId!: number;
  @Column({ type: 'boolean' }) openFlag!: boolean;
  @Column(TEXT) byQuery!: string;
  @Column({ ...TEXT, select: false }) unselected!: string;
  @Column(TEXT) @Exclude() excluded!: string;
  @Column({ type: 'int' }) @Exclude() excludedNumber!: number;
  @Column({ type: 'boolean' }) @Exclude({ toPlainOnly: true }) excludedFlag!: boolean;
  @Column(TEXT) @Expose(HR) grouped!: string;
  @Column(TEXT) @Transform(() => '***') constant!: string;
  @Column(TEXT) @Transform(({ value }: { value?: string }) => value?.slice(-1).padStart(8, '*')) masked!: string;
  /** What another property is computed of stays hidden itself. */
  @Column(TEXT) @Exclude() computedOf!: string;
  @Expose() @Transform(({ obj }: { obj: Employee }) => obj.computedOf !== undefined) openState?: boolean;
  @Column(() => Box) box!: Partial<Box>;
  @Column(() => Clear) @Exclude() closedBox!: Clear;
  @Column(() => Clear) @Expose(HR) groupedBox!: Relation<Clear>;
  @Column(() => Clear) @Type(() => Public) publicBox!: Clear;
  @Column(() => Clear) @Type(() => Discreet) discreetBox!: Partial<Clear>;
  @Column({ type: 'simple-json', nullable: true }) @Type(() => Public) settings!: Partial<Clear>;
  @ManyToOne(() => Company) company?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Exclude() closedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Expose(HR) groupedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Type(() => Public) publicCompany?: Relation<Company>;
  @OneToMany(() => Note, (note) => note.employee) notes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Exclude() closedNotes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Type(() => Public) publicNotes?: Relation<Note>[];
  @OneToMany(() => Pet, (pet) => pet.employee) pets?: Relation<Pet>[];
}

@Entity('hiding_notes')
class Note extends Row {
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @ManyToOne(() => Employee) employee?: Relation<Employee>;
}

@Entity('hiding_pets')
@TableInheritance({ column: { type: 'varchar', name: 'kind', length: 20 } })
class Pet extends Row {
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

@ChildEntity('lion')
class Lion extends Cat {
  @Column(TEXT) @Expose(HR) roar!: string;
}

// TypeScript takes no decorator on a property that is declared again.
Exclude()(Cat.prototype, 'tag');

const ENTITIES = [Person, Company, Employee, Note, Pet, Cat, Lion];

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

class EmployeePage {
  @Type(() => EmployeeDto) data!: EmployeeDto[];
  total!: number;
}

// The document tells no more than what TypeScript notes of a column or embedded object: a `Partial<Box>` is any object.
const { columns, embeddeds, relations } = getMetadataArgsStorage();
const documented = new Set<unknown>([...ENTITIES, Row, Inherited, Box, Clear, Inner]);
const describeProperties = ({ prototype }: { prototype: object }, names: string, options: object = {}) =>
  names.split(' ').forEach((name) => ApiProperty(options)(prototype, name));
for (const { target, propertyName } of [...columns, ...embeddeds])
  if (documented.has(target)) describeProperties(target as typeof Employee, propertyName);
for (const { target, propertyName, relationType, type } of relations) {
  const related = { type: () => (type as () => typeof Employee)(), isArray: relationType === 'one-to-many' };
  if (documented.has(target)) describeProperties(target as typeof Employee, propertyName, related);
}

describeProperties(Employee, 'openState', { type: 'boolean' });
describeProperties(EmployeeDto, 'id open excluded company openFlag');
describeProperties(CompanyDto, 'open');
describeProperties(EmployeePage, 'data', { type: () => [EmployeeDto] });
describeProperties(EmployeePage, 'count total page pageCount', { type: 'integer' });

const QUERY = {
  exclude: ['byQuery'],
  join: {
    company: { exclude: ['bare', 'box.open'] },
    'company.owner': { alias: 'boss' },
    notes: { exclude: ['bare'] },
    'company.typedOwner': {},
    closedCompany: {},
    groupedCompany: {},
    publicCompany: {},
    closedNotes: {},
    publicNotes: {},
    pets: {},
  },
};

const DTO_JOIN = { company: {}, notes: {}, publicCompany: { select: false } };
const BY_DTO = { join: DTO_JOIN, formats: ['openFlag'] };
const PETS = { join: { employee: { exclude: ['byQuery'] } } };

/** The header `x-groups` is believed. */
const BY_GROUPS = {
  property: 'headers',
  groups: ({ 'x-groups': groups = '' }: Record<string, string>) => groups.split(',').filter((group) => group !== ''),
};

const employees = (path: string, options: Parameters<typeof looseResource>[2] = {}) =>
  looseResource(Employee, path, { validation: false, query: QUERY, ...options });

const RESOURCES = [
  employees('employees'),
  employees('grouped', { auth: BY_GROUPS }),
  employees('prefixed', { auth: { classTransformOptions: () => ({ excludePrefixes: ['company', 'open'] }) } }),
  employees('summaries', { serialize: { get: EmployeeDto, update: EmployeeDto }, query: BY_DTO }),
  employees('pages', {
    serialize: { getMany: EmployeePage },
    routes: { only: ['getManyBase'] },
    query: { ...BY_DTO, alwaysPaginate: true },
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
  looseResource(Pet, 'grouped-pets', { validation: false, query: PETS, auth: BY_GROUPS }),
];

const SECRET_TEXTS = ['byQuery', 'unselected', 'excluded', 'inherited', 'grouped', 'constant', 'computedOf'];

/** Three records of everything; `secret` gives each hidden value, of a number or a flag as well. */
async function fill({ manager }: DataSource, secret: (id: number) => string): Promise<void> {
  for (const id of [1, 2, 3]) {
    const [open, hidden] = [`o${id}`, secret(id)];
    const [shut, closed, number] = [{ open, secret: hidden }, { open: hidden, secret: hidden }, hidden.charCodeAt(0)];
    const box = () => ({ ...shut, inner: { ...shut }, closed: { ...closed } });
    const clear = (text = open) => ({ open: text, bare: hidden });
    await manager.save(Person, { id, ...shut });
    await manager.save(Company, { id, ...shut, bare: hidden, box: box(), owner: { id } });
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
      discreetBox: clear(),
      settings: clear(),
    });
    await manager.save(Note, { id, ...shut, bare: hidden, employee: { id } });
    const pet = { id, open, employee: { id } };
    const cat = { ...pet, tag: hidden, openPurr: open, claws: hidden, basket: box() };
    if (id === 1) await manager.save(Pet, { ...pet, tag: 'openTag' });
    if (id === 2) await manager.save(Cat, cat);
    if (id === 3) await manager.save(Lion, { ...cat, roar: hidden });
  }
}

/** Resources over hidden values; `hide` gives each of these anew, of the record with an id, and leaves everything else as it was. */
export async function openHiding(database: TestDatabase, platform: HttpPlatform) {
  const { app, url, source } = await serve(database, ENTITIES, RESOURCES, { platform });
  const hide = (secret: (id: number) => string) => fill(source, secret);
  await hide((id) => `m${id}`);
  return { app, url, hide };
}
