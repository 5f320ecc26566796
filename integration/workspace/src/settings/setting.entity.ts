/** A setting of a tenant: the record of /settings, whose key is unique within the tenant alone. */
import { ApiProperty } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { ANY_JSON } from '@nestwright/example';
import { IsDefined, IsOptional, IsString, Length } from 'class-validator';
import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

const { CREATE, UPDATE } = CrudValidationGroups;

@Entity('settings')
export class Setting {
  @ApiProperty({ format: 'uuid', readOnly: true })
  @PrimaryColumn({ type: 'uuid' })
  tenantId!: string;

  @ApiProperty({ minLength: 1, maxLength: 60 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Length(1, 60, { always: true })
  @PrimaryColumn({ type: 'varchar', length: 60 })
  key!: string;

  @ApiProperty(ANY_JSON)
  @IsDefined({ groups: [CREATE] })
  @Column({ type: 'simple-json' })
  value!: unknown;

  @ApiProperty({ readOnly: true })
  @UpdateDateColumn()
  updatedAt!: Date;
}
