/** A project of the benchmark: seven columns, its company and the users who work on it. */
import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { Company } from './company.entity.js';
import { User } from './user.entity.js';

@Entity('projects')
export class Project {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'boolean', default: true })
  isActive!: boolean;

  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  budget!: string | null;

  @Index()
  @Column({ type: 'int' })
  companyId!: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt!: Date;

  @ManyToOne(() => Company, (company) => company.projects)
  company?: Relation<Company>;

  @ManyToMany(() => User, (user) => user.projects)
  users?: Relation<User[]>;
}
