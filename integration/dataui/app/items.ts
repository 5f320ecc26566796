/** The record, the class of its bodies, and the service: the same text for both libraries. */
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CrudValidationGroups } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Type as OfType } from 'class-transformer';
import { IsEmpty, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';

const { CREATE, UPDATE } = CrudValidationGroups;

class Part {
  @IsString({ always: true })
  label!: string;
}

@Entity('items')
export class Item {
  @IsOptional({ groups: [UPDATE] })
  @IsEmpty({ groups: [CREATE] })
  @PrimaryGeneratedColumn()
  id!: number;

  @IsOptional({ groups: [UPDATE] })
  @IsString({ groups: [CREATE, UPDATE] })
  @MaxLength(5, { always: true })
  @Column('text', { nullable: true })
  name!: string;

  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column('integer', { nullable: true })
  age?: number;

  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  @OfType(() => Part)
  @Column('simple-json', { nullable: true })
  part?: Part;

  /** Its rule has no group. */
  @IsOptional()
  @MaxLength(3)
  @Column('text', { nullable: true })
  note?: string;
}

export class ItemDto {
  @IsString()
  @MaxLength(5)
  name!: string;

  @IsOptional()
  @IsInt()
  age?: number;

  @IsOptional()
  @ValidateNested()
  @OfType(() => Part)
  part?: Part;

  @IsOptional()
  @MaxLength(3)
  note?: string;
}

/** The same table, without any rule. */
@Entity('items')
export class Row {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text', { nullable: true })
  name!: string;

  @Column('integer', { nullable: true })
  age?: number;

  @Column('simple-json', { nullable: true })
  part?: object;

  @Column('text', { nullable: true })
  note?: string;
}

@Injectable()
export class ItemsService extends TypeOrmCrudService<Item> {
  constructor(@InjectRepository(Item) items: Repository<Item>) {
    super(items);
  }
}

@Injectable()
export class RowsService extends TypeOrmCrudService<Row> {
  constructor(@InjectRepository(Row) rows: Repository<Row>) {
    super(rows);
  }
}
