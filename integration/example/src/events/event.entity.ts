/** Something that happened: the record of /events, which is written once and never changed. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, IsOptional, IsString } from 'class-validator';
import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { ANY_JSON } from '../any-json.js';
import { bigint, now } from '../database/column-types.js';

const { UPDATE } = CrudValidationGroups;

@Entity('events')
export class Event {
  @ApiProperty({ type: String, format: 'int64', readOnly: true })
  @IsOptional({ always: true })
  @PrimaryColumn({ type: 'bigint', transformer: bigint })
  @Generated('increment')
  id!: string;

  @ApiProperty({ maxLength: 40 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 40 })
  kind!: string;

  @ApiPropertyOptional(ANY_JSON)
  @IsOptional({ always: true })
  @Column({ type: 'json', nullable: true })
  payload!: unknown;

  @ApiPropertyOptional({ type: Date, description: 'Default: now' })
  @IsOptional({ always: true })
  @IsISO8601({ strict: true }, { always: true })
  @Column({ type: Date, default: now })
  at!: Date;
}
