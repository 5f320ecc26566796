/** A user of the benchmark: sixteen columns of the types that applications have, two to-one relations and a many-to-many one. */
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import { Company } from './company.entity.js';
import { Project } from './project.entity.js';

/** The values of `User.role`. */
export const ROLES = ['admin', 'member', 'guest'] as const;

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar', length: 255, unique: true })
  email!: string;

  @Column({ type: 'varchar', length: 80 })
  firstName!: string;

  @Column({ type: 'varchar', length: 80 })
  lastName!: string;

  @Column({ type: 'int', nullable: true })
  age!: number | null;

  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  balance!: string | null;

  @Column({ type: 'double precision', nullable: true })
  score!: number | null;

  @Column({ type: 'boolean', default: true })
  isActive!: boolean;

  @Column({ type: 'enum', enum: ROLES, default: 'member' })
  role!: (typeof ROLES)[number];

  @Column({ type: 'text', array: true, nullable: true })
  tags!: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  settings!: object | null;

  @Column({ type: 'date', nullable: true })
  birthDate!: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt!: Date;

  @Index()
  @Column({ type: 'int' })
  companyId!: number;

  @Index()
  @Column({ type: 'int', nullable: true })
  mainProjectId!: number | null;

  @ManyToOne(() => Company, (company) => company.users)
  company?: Relation<Company>;

  @ManyToOne(() => Project)
  mainProject?: Relation<Project> | null;

  @ManyToMany(() => Project, (project) => project.users)
  @JoinTable({ name: 'user_projects', joinColumn: { name: 'userId' }, inverseJoinColumn: { name: 'projectId' } })
  projects?: Relation<Project[]>;
}
