/** Items of tenants, with records nested in them by every kind of relation, and rules on both. */
import { Transform } from 'class-transformer';
import { CrudValidationGroups } from '@nestwright/crud';
import { IsArray, IsNotEmpty, IsOptional, IsPositive, IsString, Length, Matches } from 'class-validator';
import * as orm from 'typeorm';

const { UPDATE } = CrudValidationGroups;
const cascade: ('insert' | 'update')[] = ['insert', 'update'];
const always = { always: true };
const trimmed = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value);

@orm.Entity('nested_tags')
export class Tag {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;

  @Transform(trimmed, { toClassOnly: true })
  @IsString()
  @Length(1, 20)
  @orm.Column({ type: 'varchar', length: 20, unique: true })
  name!: string;

  @IsOptional(always) @IsString(always) @orm.Column({ type: 'varchar', length: 20, default: 'nobody' }) tenant!: string;
}

/** Its key has a part of its item's. */
@orm.Entity('nested_lines')
export class Line {
  @orm.PrimaryColumn({ type: 'int' }) itemId!: number;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.ManyToOne(() => Item, (item) => item.lines) @orm.JoinColumn({ name: 'itemId' }) item!: orm.Relation<Item>;
}

@orm.Entity('nested_sheets')
export class Sheet {
  @orm.PrimaryGeneratedColumn() id!: number;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) pages!: number | null;
  @orm.OneToOne(() => Item, (item) => item.sheet) @orm.JoinColumn() item!: orm.Relation<Item>;
}

@orm.Entity('nested_items')
export class Item {
  @IsOptional(always) @IsPositive(always) @orm.PrimaryGeneratedColumn() id!: number;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) code!: string | null;

  @IsOptional({ groups: [UPDATE] })
  @IsString(always)
  @Length(1, 20, always)
  @orm.Column({ type: 'varchar', length: 20 })
  title!: string;

  @IsOptional(always)
  @IsArray(always)
  @Matches(/^[^ ]+$/, { ...always, each: true })
  @orm.Column({ type: 'simple-array', nullable: true })
  words!: string[] | null;

  @IsOptional(always) @IsString(always) @orm.Column({ type: 'varchar', length: 20, default: 'nobody' }) tenant!: string;
  @orm.ManyToOne(() => Item, (item) => item.children) parent!: orm.Relation<Item> | null;
  @orm.OneToMany(() => Item, (item) => item.parent, { cascade }) children!: orm.Relation<Item>[];
  @orm.OneToMany(() => Line, (line) => line.item, { cascade }) lines!: orm.Relation<Line>[];
  @orm.OneToOne(() => Sheet, (sheet) => sheet.item, { cascade }) sheet!: orm.Relation<Sheet> | null;
  @orm.ManyToOne(() => Tag, { cascade }) tag!: orm.Relation<Tag> | null;
  @orm.OneToOne(() => Tag, { cascade }) @orm.JoinColumn() badge!: orm.Relation<Tag> | null;
  @orm.ManyToMany(() => Tag, { cascade }) @orm.JoinTable({ name: 'nested_item_tags' }) tags!: orm.Relation<Tag>[];
}

export const ITEMS = [Tag, Line, Sheet, Item];
