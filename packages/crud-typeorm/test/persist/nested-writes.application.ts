/** Items with nested records of every kind of relation, whose rules stand on the entities alone. */
import { CrudValidationGroups } from '@nestwright/crud';
import { Transform } from 'class-transformer';
import { IsArray, IsNotEmpty, IsOptional, IsString, Length, Matches } from 'class-validator';
import {
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  VersionColumn,
} from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

const { UPDATE } = CrudValidationGroups;
const cascade: ('insert' | 'update')[] = ['insert', 'update'];
const kept = { always: true };

@Entity('nested_tags')
export class Tag {
  @PrimaryGeneratedColumn() id!: number;
  @VersionColumn() version!: number;
  @DeleteDateColumn() deletedAt!: Date | null;

  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value), {
    toClassOnly: true,
  })
  @IsString()
  @Length(1, 20)
  @Column({ type: 'varchar', length: 20 })
  name!: string;

  @IsOptional(kept)
  @IsString(kept)
  @Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;
}

/** Its key has a part of its item's. */
@Entity('nested_lines')
export class Line {
  @PrimaryColumn({ type: 'int' }) itemId!: number;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @IsNotEmpty() @Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @ManyToOne(() => Item, (item) => item.lines) @JoinColumn({ name: 'itemId' }) item!: Relation<Item>;
}

@Entity('nested_sheets')
export class Sheet {
  @PrimaryGeneratedColumn() id!: number;
  @IsNotEmpty() @Column({ type: 'varchar', length: 20, default: '' }) text!: string;
  @Column({ type: 'int', nullable: true }) pages!: number | null;
  @OneToOne(() => Item, (item) => item.sheet) @JoinColumn() item!: Relation<Item>;
}

@Entity('nested_items')
export class Item {
  @PrimaryGeneratedColumn() id!: number;
  @VersionColumn() version!: number;
  @DeleteDateColumn() deletedAt!: Date | null;

  @IsOptional({ groups: [UPDATE] })
  @IsString(kept)
  @Length(1, 20, kept)
  @Column({ type: 'varchar', length: 20 })
  title!: string;

  @IsOptional(kept)
  @IsArray(kept)
  @Matches(/^[^ ]+$/, { ...kept, each: true })
  @Column({ type: 'simple-array', nullable: true })
  words!: string[] | null;

  @Column({ type: 'decimal', precision: 8, scale: 2, nullable: true }) price!: string | null;

  @IsOptional(kept)
  @IsString(kept)
  @Column({ type: 'varchar', length: 20, default: 'nobody' })
  tenant!: string;

  @ManyToOne(() => Item, (item) => item.children) parent!: Relation<Item> | null;
  @OneToMany(() => Item, (item) => item.parent, { cascade }) children!: Relation<Item>[];
  @OneToMany(() => Line, (line) => line.item, { cascade }) lines!: Relation<Line>[];
  @OneToOne(() => Sheet, (sheet) => sheet.item, { cascade }) sheet!: Relation<Sheet> | null;
  @ManyToOne(() => Tag, { cascade }) tag!: Relation<Tag> | null;
  @ManyToMany(() => Tag, { cascade }) @JoinTable({ name: 'nested_item_tags' }) tags!: Relation<Tag>[];
}

/** Says nothing of the records in its relations. */
class ItemBody {
  @IsString() title!: string;
  @IsOptional() children?: unknown;
  @IsOptional() tags?: unknown;
}

const ofTenant = () => ({ tenant: 'acme' });
const join = { parent: {}, children: {}, lines: {}, sheet: {}, tag: {}, tags: {} };
const routes = { updateManyBase: { byCondition: true }, deleteManyBase: { byCondition: true }, replaceManyBase: {} };

const RESOURCES = [
  resource(Item, 'items', { query: { join, softDelete: true }, routes }),
  resource(Item, 'described-items', { query: { join }, dto: { create: ItemBody, update: ItemBody } }),
  resource(Item, 'scoped-items', {
    query: { join, softDelete: true },
    auth: {
      filter: ofTenant,
      persist: ofTenant,
      relations: { tag: ofTenant, tags: ofTenant, sheet: false, lines: false },
    },
  }),
];

export async function startItems(db: TestDatabase) {
  const { app, source, send } = await serve(db, [Tag, Line, Sheet, Item], RESOURCES, { source: { dropSchema: true } });

  return {
    source,
    send,
    clear: async () => {
      await source.query(`UPDATE nested_items SET ${source.driver.escape('parentId')} = NULL`);
      for (const table of ['item_tags', 'lines', 'sheets', 'items', 'tags'])
        await source.query(`DELETE FROM nested_${table}`);
    },
    close: () => app.close(),
  };
}

export type Items = Awaited<ReturnType<typeof startItems>>;
