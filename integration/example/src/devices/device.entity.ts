/** A device: the record of /devices, whose key is a uuid that the client may choose. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

const { UPDATE } = CrudValidationGroups;

@Entity('devices')
export class Device {
  @ApiPropertyOptional({ format: 'uuid', description: 'Generated when omitted' })
  @IsOptional({ always: true })
  @IsUUID('all', { always: true })
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @ApiProperty({ maxLength: 40, description: 'Unique' })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 40, unique: true })
  serial!: string;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'text', nullable: true })
  description!: string | null;
}
