/** Resources over entities whose columns are hidden in each of the ways that classes have: every column but `id`, `open…` and keys holds a value that nobody may find out. */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { ChildEntity, Column, type DataSource, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { OneToMany, PrimaryColumn, type Relation, TableInheritance } from 'typeorm';
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

@Entity('hiding_companies')
class Company extends Row {
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Box) box!: Partial<Box>;
}

@Entity('hiding_employees')
class Employee extends Row {
  @Column({ type: 'int' }) companyId!: number;
  @Column({ type: 'boolean' }) openFlag!: boolean;
  @Column(TEXT) byQuery!: string;
  @Column({ ...TEXT, select: false }) unselected!: string;
  @Column(TEXT) @Exclude() excluded!: string;
  @Column({ type: 'boolean' }) @Exclude({ toPlainOnly: true }) excludedFlag!: boolean;
  @Column(TEXT) @Expose(HR) grouped!: string;
  @Column(TEXT) @Transform(() => '***') constant!: string;
  @Column(TEXT) @Transform(({ value }: { value?: string }) => value?.slice(-1).padStart(8, '*')) masked!: string;
  /** What another property is computed of stays hidden itself. */
  @Column(TEXT) @Exclude() computedOf!: string;
  @Expose() @Transform(({ obj }: { obj: Employee }) => obj.computedOf !== undefined) openState?: boolean;
  @Column(() => Box) box!: Partial<Box>;
  @Column(() => Clear) @Exclude() closedBox!: Clear;
  @Column(() => Clear) @Type(() => Public) publicBox!: Clear;
  @Column({ type: 'simple-json', nullable: true }) @Type(() => Public) settings!: Partial<Clear>;
  @ManyToOne(() => Company) company?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Exclude() closedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN) @JoinColumn(OF_COMPANY) @Type(() => Public) publicCompany?: Relation<Company>;
  @OneToMany(() => Note, (note) => note.employee) notes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Exclude() closedNotes?: Relation<Note>[];
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
  @Column(TEXT) @Expose(HR) roar!: string;
  @Column(() => Box) basket!: Partial<Box>;
}

// TypeScript takes no decorator on a property that is declared again.
Exclude()(Cat.prototype, 'tag');

const ENTITIES = [Company, Employee, Note, Pet, Cat];

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
    company: { exclude: ['bare', 'box.open'] },
    notes: { exclude: ['bare'] },
    closedCompany: {},
    publicCompany: {},
    closedNotes: {},
    pets: {},
  },
};

const DTO_JOIN = { company: {}, notes: {}, publicCompany: { select: false } };

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
  employees('summaries', {
    serialize: { get: EmployeeDto, update: EmployeeDto },
    query: { join: DTO_JOIN, formats: ['openFlag'] },
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
  looseResource(Pet, 'pets', { validation: false, query: { join: { employee: { exclude: ['byQuery'] } } } }),
];

const SECRET_TEXTS = ['byQuery', 'unselected', 'excluded', 'grouped', 'constant', 'computedOf'];

/** Three records of everything; `secret` gives each hidden value, of a flag as well. */
async function fill({ manager }: DataSource, secret: (id: number) => string): Promise<void> {
  for (const id of [1, 2, 3]) {
    const [open, hidden] = [`o${id}`, secret(id)];
    const [shut, closed] = [
      { open, secret: hidden },
      { open: hidden, secret: hidden },
    ];
    const box = () => ({ ...shut, inner: { ...shut }, closed: { ...closed } });
    const clear = (text = open) => ({ open: text, bare: hidden });
    await manager.save(Company, { id, ...shut, bare: hidden, box: box() });
    await manager.save(Employee, {
      id,
      open,
      companyId: id,
      openFlag: id > 1,
      ...Object.fromEntries(SECRET_TEXTS.map((name) => [name, hidden])),
      excludedFlag: hidden.charCodeAt(0) % 2 === 0,
      masked: `${hidden}-${id}`,
      box: box(),
      closedBox: clear(hidden),
      publicBox: clear(),
      settings: clear(),
    });
    await manager.save(Note, { id, ...shut, bare: hidden, employee: { id } });
    const pet = { id, open, employee: { id } };
    if (id === 1) await manager.save(Pet, { ...pet, tag: 'openTag' });
    else await manager.save(Cat, { ...pet, tag: hidden, openPurr: open, claws: hidden, roar: hidden, basket: box() });
  }
}

/** Resources over hidden values; `hide` gives each of these anew, of the record with an id, and leaves everything else as it was. */
export async function openHiding(database: TestDatabase, platform: HttpPlatform) {
  const { app, url, source } = await serve(database, ENTITIES, RESOURCES, { platform });
  const hide = (secret: (id: number) => string) => fill(source, secret);
  await hide((id) => `m${id}`);
  return { app, url, hide };
}
