/** What members, projects, tasks and comments have in common: a number, and a tenant, which the scope of a request decides. */
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional } from 'class-validator';
import { Column, Index, PrimaryGeneratedColumn } from 'typeorm';

export abstract class TenantRecord {
  @ApiProperty({ type: 'integer', readOnly: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiProperty({ format: 'uuid', readOnly: true })
  @Index()
  @Column({ type: 'uuid' })
  tenantId!: string;
}
