/** Entities of the kinds that TypeORM can describe and few applications have, under a naming strategy of its own, for the suite of kinds. */
import { ChildEntity, Column, DefaultNamingStrategy, Entity, ManyToOne, OneToMany } from 'typeorm';
import { PrimaryColumn, PrimaryGeneratedColumn, type Relation, TableInheritance, ViewColumn } from 'typeorm';
import { ViewEntity, VirtualColumn } from 'typeorm';

const snake = (text: string) => text.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();

/** Names that are nowhere the properties'. */
export class Prefixed extends DefaultNamingStrategy {
  override tableName(target: string, given: string | undefined): string {
    return given ?? `t_${snake(target)}`;
  }
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    // TypeORM's closure tables do not find columns that are named otherwise.
    const isOfTree = /_(?:ancestor|descendant)$/.test(property);
    return given ?? (isOfTree ? property : `c_${[...prefixes, property].map(snake).join('_')}`);
  }
  override joinColumnName(relation: string, referenced: string): string {
    return `fk_${snake(relation)}_${snake(referenced)}`;
  }
}

@Entity()
export class Shop {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) shopName!: string;
  @OneToMany(() => Ware, (ware) => ware.shop, { lazy: true, cascade: ['insert'] }) wares!: Promise<Ware[]>;
}

@Entity()
export class Ware {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) label!: string;
  @ManyToOne(() => Shop, (shop) => shop.wares, { lazy: true, nullable: true }) shop!: Promise<Shop | null>;
}

export class Point {
  @Column({ type: 'int', nullable: true }) x!: number | null;
  @Column({ type: 'int', nullable: true }) y!: number | null;
}

export class Place {
  @Column({ type: 'varchar', length: 20, nullable: true }) town!: string | null;
  @Column(() => Point) exactPoint!: Point;
  @ManyToOne(() => Clerk, { nullable: true }) clerk!: Relation<Clerk> | null;
}

const reversed = (value: string | null | undefined) => (value ? [...value].reverse().join('') : value);

/** Columns that are not what they seem. */
@Entity()
export class Parcel {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) netWeight!: number;
  @VirtualColumn({ type: 'int', query: (alias) => `SELECT ${alias}.c_net_weight` }) echoed!: number;
  @Column({ type: 'varchar', length: 20, nullable: true, select: false }) pin!: string | null;
  @Column({ type: 'varchar', length: 20, nullable: true, transformer: { to: reversed, from: reversed } })
  code!: string | null;
  @Column(() => Place) sentFrom!: Place;
}

@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export class Being {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@ChildEntity('bird')
export class Bird extends Being {
  @Column({ type: 'int', nullable: true }) wingSpan!: number | null;
}

@ChildEntity('fish')
export class Fish extends Being {
  @Column({ type: 'int', nullable: true }) finCount!: number | null;
}

@Entity()
export class Clerk {
  @PrimaryColumn({ type: 'varchar', length: 30 }) login!: string;
}

const expression = 'SELECT c_id AS id, c_net_weight AS weight FROM t_parcel WHERE c_net_weight > 10';

@ViewEntity({ name: 'v_heavy', expression })
export class Heavy {
  @PrimaryColumn({ type: 'int', name: 'id' }) id!: number;
  @ViewColumn({ name: 'weight' }) weight!: number;
}

export const KINDS = [Shop, Ware, Parcel, Being, Bird, Fish, Clerk, Heavy];
