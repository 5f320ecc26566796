/** A company: the record of /companies, and the owner of users and projects. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  OneToMany,
  PrimaryGeneratedColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import { Project } from '../projects/project.entity.js';
import { User } from '../users/user.entity.js';

const { UPDATE } = CrudValidationGroups;

@Entity('companies')
export class Company {
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

  @ApiProperty({ maxLength: 100, description: 'Unique' })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 100, unique: true })
  domain!: string;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiProperty({ readOnly: true })
  @UpdateDateColumn()
  updatedAt!: Date;

  @ApiProperty({ type: Date, nullable: true, readOnly: true })
  @DeleteDateColumn()
  deletedAt!: Date | null;

  @ApiPropertyOptional({ type: () => [User] })
  @IsOptional({ always: true })
  @OneToMany(() => User, (user) => user.company)
  users?: Relation<User>[];

  @ApiPropertyOptional({ type: () => [Project] })
  @IsOptional({ always: true })
  @OneToMany(() => Project, (project) => project.company)
  projects?: Relation<Project>[];
}
