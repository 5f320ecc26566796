/** What was written, by whom it belongs to: the record of /audit, which clients only read. */
import { ApiProperty } from '@nestjs/swagger';
import { ANY_JSON, bigint, now } from '@nestwright/example';
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

@Entity('audit')
export class Audit {
  @ApiProperty({ type: String, format: 'int64' })
  @PrimaryColumn({ type: 'bigint', transformer: bigint })
  @Generated('increment')
  id!: string;

  @ApiProperty({ format: 'uuid' })
  @Index()
  @Column({ type: 'uuid' })
  tenantId!: string;

  @ApiProperty({ maxLength: 40, description: 'Name of the model' })
  @Column({ type: 'varchar', length: 40 })
  entity!: string;

  @ApiProperty({ maxLength: 20 })
  @Column({ type: 'varchar', length: 20 })
  kind!: string;

  @ApiProperty({ maxLength: 80 })
  @Column({ type: 'varchar', length: 80 })
  recordId!: string;

  @ApiProperty(ANY_JSON)
  @Column({ type: 'json', nullable: true })
  changes!: unknown;

  @ApiProperty({ type: Date })
  @Column({ type: Date, default: now })
  at!: Date;
}
