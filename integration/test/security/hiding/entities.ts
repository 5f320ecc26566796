/** Entities whose columns are hidden in each of the ways that classes have: every column but `id`, `open…` and keys holds a value that nobody may find out. */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
  TableInheritance,
} from 'typeorm';

/** Further relations over the same column, which has one constraint. */
const SAME_COLUMN = { createForeignKeyConstraints: false } as const;
const TEXT = { type: 'varchar', length: 60, nullable: true } as const;

/** Hides of other classes' values what it does not name itself. */
@Exclude()
export class Public {
  @Expose() id!: number;
  @Expose() open!: string;
}

/** Hides one property of other classes' values. */
export class Discreet {
  @Exclude() bare!: string;
}

export class Inner {
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
}

export class Box {
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Inner) inner!: Partial<Inner>;
  @Column(() => Inner) @Exclude() closed!: Inner;
}

/** Hides nothing by itself. */
export class Clear {
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
}

@Entity('hiding_people')
export class Person {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column(TEXT) @Exclude() secret!: string;
}

@Entity('hiding_companies')
export class Company {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @Column(() => Box) box!: Partial<Box>;
  @ManyToOne(() => Person) owner?: Relation<Person>;
  @ManyToOne(() => Person, SAME_COLUMN)
  @JoinColumn({ name: 'ownerId' })
  @Type(() => Public)
  typedOwner?: Relation<Person>;
}

abstract class Inherited {
  @Column(TEXT) @Exclude() inherited!: string;
}

@Entity('hiding_employees')
export class Employee extends Inherited {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column({ type: 'int' }) companyId!: number;
  @Column({ type: 'boolean' }) openFlag!: boolean;

  @Column(TEXT) byQuery!: string;
  @Column({ ...TEXT, select: false }) unselected!: string;
  @Column(TEXT) @Exclude() excluded!: string;
  @Column({ type: 'int' }) @Exclude() excludedNumber!: number;
  @Column({ type: 'boolean' }) @Exclude({ toPlainOnly: true }) excludedFlag!: boolean;
  @Column(TEXT) @Expose({ groups: ['hr'] }) grouped!: string;
  @Column(TEXT) @Transform(() => '***') constant!: string;
  @Column(TEXT) @Transform(({ value }: { value?: string }) => value?.slice(-1).padStart(8, '*')) masked!: string;
  /** What another property is computed of stays hidden itself. */
  @Column(TEXT) @Exclude() computedOf!: string;
  @Expose() @Transform(({ obj }: { obj: Employee }) => obj.computedOf !== undefined) openState?: boolean;

  @Column(() => Box) box!: Partial<Box>;
  @Column(() => Clear) @Exclude() closedBox!: Clear;
  @Column(() => Clear) @Expose({ groups: ['hr'] }) groupedBox!: Relation<Clear>;
  @Column(() => Clear) @Type(() => Public) publicBox!: Clear;
  @Column(() => Clear) @Type(() => Discreet) discreetBox!: Partial<Clear>;
  @Column({ type: 'simple-json', nullable: true }) @Type(() => Public) settings!: Partial<Clear>;

  @ManyToOne(() => Company) company?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN)
  @JoinColumn({ name: 'companyId' })
  @Exclude()
  closedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN)
  @JoinColumn({ name: 'companyId' })
  @Expose({ groups: ['hr'] })
  groupedCompany?: Relation<Company>;
  @ManyToOne(() => Company, SAME_COLUMN)
  @JoinColumn({ name: 'companyId' })
  @Type(() => Public)
  publicCompany?: Relation<Company>;

  @OneToMany(() => Note, (note) => note.employee) notes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Exclude() closedNotes?: Relation<Note>[];
  @OneToMany(() => Note, (note) => note.employee) @Type(() => Public) publicNotes?: Relation<Note>[];
  @OneToMany(() => Pet, (pet) => pet.employee) pets?: Relation<Pet>[];
}

@Entity('hiding_notes')
export class Note {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  @Column(TEXT) bare!: string;
  @Column(TEXT) @Exclude() secret!: string;
  @ManyToOne(() => Employee) employee?: Relation<Employee>;
}

@Entity('hiding_pets')
@TableInheritance({ column: { type: 'varchar', name: 'kind', length: 20 } })
export class Pet {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column(TEXT) open!: string;
  /** Hidden where the pet is a cat. */
  @Column(TEXT) tag!: string;
  @ManyToOne(() => Employee) employee?: Relation<Employee>;
}

@ChildEntity('cat')
export class Cat extends Pet {
  @Column(TEXT) openPurr!: string;
  @Column(TEXT) @Exclude() claws!: string;
  @Column(() => Box) basket!: Partial<Box>;
}

@ChildEntity('lion')
export class Lion extends Cat {
  @Column(TEXT) @Expose({ groups: ['hr'] }) roar!: string;
}

// TypeScript takes no decorator on a property that is declared again.
Exclude()(Cat.prototype, 'tag');

export const ENTITIES = [Person, Company, Employee, Note, Pet, Cat, Lion];
