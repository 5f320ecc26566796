/** Columns of every kind whose stored form is not the value sent, and relations around them. */
import {
  AfterUpdate,
  BeforeUpdate,
  Column,
  type ColumnType,
  CreateDateColumn,
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
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { requestOf } from '../support/requests.js';

/** Keeps texts backwards, nulls as they are. */
const backwards = {
  to: (value: unknown) => (typeof value === 'string' ? [...value].reverse().join('') : value),
  from: (value: unknown) => (typeof value === 'string' ? [...value].reverse().join('') : value),
};

@Entity('makers')
export class Maker {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('labels')
export class Label {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

@Entity('manuals')
export class Manual {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) title!: string;
  @VersionColumn() version!: number;
}

@Entity('parts')
export class Part {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) what!: string;
  @VersionColumn() version!: number;
  @ManyToOne(() => Product, (product) => product.parts, { nullable: true }) product!: Relation<Product> | null;
}

export class Size {
  @Column({ type: 'int', nullable: true }) width!: number | null;
  @Column({ type: 'int', nullable: true }) height!: number | null;
}

@Entity('products')
export class Product {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 40, nullable: true }) name!: string | null;
  @Column({ type: 'text', nullable: true }) notes!: string | null;
  @Column({ type: 'int', nullable: true }) count!: number | null;
  @Column({ type: 'bigint', nullable: true }) big!: string | null;
  @Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) price!: string | null;
  @Column({ type: 'float', nullable: true }) weight!: number | null;
  @Column({ type: Boolean, nullable: true }) sold!: boolean | null;
  @Column({ type: 'date', nullable: true }) day!: string | null;
  @Column({ type: 'time', nullable: true }) time!: string | null;
  @Column({ type: Date, nullable: true }) seen!: Date | null;
  @Column({ type: 'simple-json', nullable: true }) settings!: unknown;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'varchar', length: 40, nullable: true, transformer: backwards }) code!: string | null;
  @Column({ type: 'varchar', length: 40, nullable: true, select: false }) secret!: string | null;
  @Column(() => Size) size!: Size;
  @VersionColumn() version!: number;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
  @Column({ type: 'int', nullable: true }) makerId!: number | null;
  @ManyToOne(() => Maker, { nullable: true }) @JoinColumn({ name: 'makerId' }) maker!: Relation<Maker> | null;
  @ManyToOne(() => Maker, { nullable: true }) seller!: Relation<Maker> | null;
  @OneToOne(() => Manual, { nullable: true, cascade: true }) @JoinColumn() manual!: Relation<Manual> | null;
  @OneToMany(() => Part, (part) => part.product, { cascade: true }) parts!: Relation<Part>[];
  @ManyToMany(() => Label) @JoinTable({ name: 'product_labels' }) labels!: Relation<Label>[];
}

/** An entity that hears of its own updates. */
@Entity('listeners')
export class Listener {
  static heard: string[] = [];

  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 40, nullable: true }) name!: string | null;
  @Column({ type: 'varchar', length: 40, nullable: true }) slug!: string | null;
  @VersionColumn() version!: number;

  @BeforeUpdate() before(): void {
    Listener.heard.push('before');
    this.slug = this.name?.toLowerCase() ?? null;
  }

  @AfterUpdate() after(): void {
    Listener.heard.push('after');
  }
}

/** A class with one column of a type, for types that one database alone has. */
export function typed(
  table: string,
  type: ColumnType,
  options: object = {},
): new () => { id: number; value: unknown; version: number } {
  class Typed {
    id!: number;
    value!: unknown;
    version!: number;
  }

  Entity(table)(Typed);
  PrimaryColumn({ type: 'int' })(Typed.prototype, 'id');
  Column({ type, nullable: true, ...options } as never)(Typed.prototype, 'value');
  VersionColumn()(Typed.prototype, 'version');

  return Typed;
}

export const UNCHANGED_ENTITIES = [Maker, Label, Manual, Part, Product, Listener];

/** A request for the record under a key. */

export const requestAt = (id: number, parsed: object = {}) => requestOf({ path: { id }, parsed });
