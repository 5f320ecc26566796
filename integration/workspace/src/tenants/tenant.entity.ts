/** A tenant, to whom everything else belongs: the record of /tenant. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { IsEnum, IsOptional, IsString, Length } from 'class-validator';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

const { UPDATE } = CrudValidationGroups;

// In alphabetical order: PostgreSQL and MySQL sort an enum by its declaration, SQLite by its text.
export enum Plan {
  Business = 'business',
  Free = 'free',
  Team = 'team',
}

@Entity('tenants')
export class Tenant {
  @ApiProperty({ format: 'uuid', readOnly: true })
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @ApiProperty({ minLength: 1, maxLength: 80 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Length(1, 80, { always: true })
  @Column({ type: 'varchar', length: 80 })
  name!: string;

  @ApiPropertyOptional({ enum: Plan, enumName: 'Plan', default: Plan.Free })
  @IsOptional({ always: true })
  @IsEnum(Plan, { always: true })
  @Column({ type: 'simple-enum', enum: Plan, default: Plan.Free })
  plan!: Plan;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;
}
