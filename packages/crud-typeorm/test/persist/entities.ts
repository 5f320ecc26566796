/** The records that the suites about writes store: every kind of key, relation and column that a write treats in its own way. */
import {
  BeforeInsert,
  BeforeUpdate,
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';

@Entity('teams')
export class Team {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40, unique: true }) title!: string;
  @OneToMany(() => Person, (person) => person.team) people!: Relation<Person>[];
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

export class Name {
  @Column({ type: 'varchar', length: 20, nullable: true }) first!: string | null;
  @Column({ type: 'varchar', length: 20, nullable: true }) last!: string | null;
}

@Entity('badges')
export class Badge {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) color!: string;
  @OneToOne(() => Person, (person) => person.badge) person!: Relation<Person>;
}

@Entity('skills')
export class Skill {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) label!: string;
  @ManyToMany(() => Person, (person) => person.skills) people!: Relation<Person>[];
}

@Entity('people')
@Check('CHK_age', 'age >= 0 AND age <= 150')
export class Person {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 60, unique: true }) email!: string;
  @Column(() => Name) name!: Name;
  @Column({ type: 'int', nullable: true }) age!: number | null;
  @Column({ type: 'varchar', length: 10, default: 'new' }) state!: string;
  @Column({ type: 'simple-json', nullable: true }) settings!: unknown;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'varchar', length: 30, name: 'pass_word', select: false, nullable: true }) password!: string | null;
  @VersionColumn() version!: number;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
  @Column({ type: 'int' }) teamId!: number;
  @ManyToOne(() => Team, (team) => team.people, { nullable: false })
  @JoinColumn({ name: 'teamId' })
  team!: Relation<Team>;
  @OneToOne(() => Badge, (badge) => badge.person, { cascade: ['insert', 'update'], nullable: true })
  @JoinColumn()
  badge!: Relation<Badge> | null;
  @ManyToMany(() => Skill, (skill) => skill.people, { cascade: ['insert', 'update'] })
  @JoinTable({ name: 'people_skills' })
  skills!: Relation<Skill>[];
  @OneToMany(() => Task, (task) => task.person, { cascade: ['insert', 'update'] }) tasks!: Relation<Task>[];
}

@Entity('tasks')
export class Task {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) what!: string;
  @Column({ type: 'int', nullable: true }) personId!: number | null;
  @ManyToOne(() => Person, (person) => person.tasks) @JoinColumn({ name: 'personId' }) person!: Relation<Person>;
}

@Entity('gadgets')
export class Gadget {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ type: 'varchar', length: 20, unique: true }) serial!: string;
  @Column({ type: 'varchar', length: 20, default: 'none' }) note!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) place!: string | null;
}

@Entity('seats')
@Unique('UQ_label', ['row', 'label'])
export class Seat {
  @PrimaryColumn({ type: 'int' }) row!: number;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
}

@Entity('ledgers')
export class Ledger {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id!: string;
  @Column({ type: 'varchar', length: 20 }) kind!: string;
}

/** An entity that looks after itself. */
@Entity('notes')
export class Note {
  static heard: string[] = [];

  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) text!: string;
  @Column({ type: 'varchar', length: 40, nullable: true }) slug!: string | null;
  @Column({ type: 'varchar', length: 40, nullable: true }) owner!: string | null;
  @VersionColumn() version!: number;

  @BeforeInsert() beforeInsert(): void {
    Note.heard.push(`insert ${this.text}`);
    this.slug = this.text.toLowerCase();
  }

  @BeforeUpdate() beforeUpdate(): void {
    Note.heard.push(`update ${this.text} of ${this.owner}`);
    this.slug = this.text.toLowerCase();
  }
}

export const ENTITIES = [Team, Badge, Skill, Person, Task, Gadget, Seat, Ledger, Note];
