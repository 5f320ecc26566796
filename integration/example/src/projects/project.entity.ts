/** A project of a company with its members: the record of /projects and /my/projects. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { Company } from '../companies/company.entity.js';
import { decimal } from '../database/column-types.js';
import { User } from '../users/user.entity.js';

const { UPDATE } = CrudValidationGroups;

@Entity('projects')
@Check('CHK_projects_budget', 'budget >= 0')
export class Project {
  @ApiProperty({ type: 'integer', readOnly: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiProperty({ maxLength: 100 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @ApiPropertyOptional({ default: true })
  @IsOptional({ always: true })
  @IsBoolean({ always: true })
  @Column({ type: 'boolean', default: true })
  isActive!: boolean;

  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0 })
  @IsOptional({ always: true })
  @IsNumber({ maxDecimalPlaces: 2 }, { always: true })
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true, transformer: decimal })
  budget!: number | null;

  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column({ type: 'int' })
  companyId!: number;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiPropertyOptional({ type: () => Company })
  @IsOptional({ always: true })
  @ManyToOne(() => Company, (company) => company.projects, { eager: true, nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'companyId' })
  company?: Relation<Company>;

  @ApiPropertyOptional({ type: () => [User] })
  @IsOptional({ always: true })
  // The default of TypeORM 1, said for 0.3, where the side without the join table keeps its rows from being deleted.
  @ManyToMany(() => User, (user) => user.projects, { onDelete: 'CASCADE' })
  users?: Relation<User>[];
}
