/** A person's name, embedded in users as `name.first` and `name.last`. */
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { Column } from 'typeorm';

export class Name {
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 80 })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 80, nullable: true })
  first!: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 80 })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 80, nullable: true })
  last!: string | null;
}
