/** Records of every kind of key, relation and column that a write treats in its own way. */
import {
  Check,
  Column,
  CreateDateColumn,
  type DataSource,
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
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { connect as connectTo } from '../support/resources.js';
import { Statements } from '../support/statements.js';

@Entity('teams')
export class Team {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40, unique: true }) title!: string;
  @OneToMany(() => Person, (person) => person.team) people!: Relation<Person>[];
  @VersionColumn() version!: number;
  @UpdateDateColumn() updatedAt!: Date;
  /** Nothing that an UPDATE of TypeORM's own may set. */
  @DeleteDateColumn({ nullable: true, update: false }) deletedAt!: Date | null;
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

/** Connects to an empty database, and makes the tables. */
export async function connect(db: TestDatabase): Promise<{ source: DataSource; statements: Statements }> {
  const statements = new Statements();
  const entities = [Team, Badge, Skill, Person, Task, Gadget, Seat];
  const source = await connectTo(db, entities, { logger: statements, logging: true, poolSize: 20 });

  // TypeORM makes no checks on MySQL and MariaDB.
  if (db.kind === 'mysql')
    await source.query('ALTER TABLE people ADD CONSTRAINT CHK_age CHECK (age >= 0 AND age <= 150)');

  return { source, statements };
}

/** Empties the tables and makes the two teams, 901 and 902. */
export async function empty(source: DataSource): Promise<void> {
  for (const table of ['people_skills', 'tasks', 'people', 'teams', 'badges', 'skills', 'gadgets', 'seats'])
    await source.query(`DELETE FROM ${table}`);

  await source.query(`INSERT INTO teams (id, title, version) VALUES (901, 'red', 1), (902, 'blue', 1)`);
}
