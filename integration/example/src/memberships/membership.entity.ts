/** A user's part in a company: the record of /memberships, addressed by both ids together. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Company } from '../companies/company.entity.js';
import { User } from '../users/user.entity.js';

const { UPDATE } = CrudValidationGroups;

@Entity('memberships')
export class Membership {
  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @PrimaryColumn({ type: 'int' })
  companyId!: number;

  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @PrimaryColumn({ type: 'int' })
  userId!: number;

  @ApiProperty({ maxLength: 20 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 20 })
  role!: string;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'date', nullable: true })
  since!: string | null;

  @ApiPropertyOptional({ type: () => Company })
  @IsOptional({ always: true })
  @ManyToOne(() => Company, { eager: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'companyId' })
  company?: Relation<Company>;

  @ApiPropertyOptional({ type: () => User })
  @IsOptional({ always: true })
  @ManyToOne(() => User, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'userId' })
  user?: Relation<User>;
}
