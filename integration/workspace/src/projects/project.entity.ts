/** A project of a tenant: the record of /projects. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { decimalText } from '@nestwright/example';
import { IsOptional, IsString, Length } from 'class-validator';
import { Column, CreateDateColumn, DeleteDateColumn, Entity, OneToMany, type Relation, Unique } from 'typeorm';
import { IsDecimalText } from '../database/decimal-text.js';
import { Task } from '../tasks/task.entity.js';
import { TenantRecord } from '../tenants/tenant-record.js';

const { UPDATE } = CrudValidationGroups;

@Entity('projects')
@Unique('UQ_projects_key', ['tenantId', 'key'])
export class Project extends TenantRecord {
  @ApiProperty({ minLength: 1, maxLength: 10, description: 'Unique within the tenant' })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Length(1, 10, { always: true })
  @Column({ type: 'varchar', length: 10 })
  key!: string;

  @ApiProperty({ minLength: 1, maxLength: 80 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Length(1, 80, { always: true })
  @Column({ type: 'varchar', length: 80 })
  name!: string;

  @ApiPropertyOptional({ type: String, nullable: true, example: '1000.00' })
  @IsOptional({ always: true })
  @IsDecimalText({ always: true })
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true, transformer: decimalText(2) })
  budget!: string | null;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiProperty({ type: Date, nullable: true, readOnly: true })
  @DeleteDateColumn()
  deletedAt!: Date | null;

  @ApiPropertyOptional({ type: () => [Task] })
  @IsOptional({ always: true })
  @OneToMany(() => Task, (task) => task.project)
  tasks?: Relation<Task>[];
}
