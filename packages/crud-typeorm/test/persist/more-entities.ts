/** Records with the columns and relations that few applications have, for the suites about writes. */
import {
  AfterInsert,
  BeforeRemove,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  EventSubscriber,
  type EntitySubscriberInterface,
  type InsertEvent,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  type RemoveEvent,
  type SoftRemoveEvent,
  type RecoverEvent,
  type UpdateEvent,
} from 'typeorm';

const cents = {
  to: (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) : value),
  from: (value: unknown) => (typeof value === 'number' ? value / 100 : value),
};

/** Every kind of value, under a naming that is not the properties'. */
@Entity('samples')
export class Sample {
  @PrimaryColumn({ type: 'varchar', length: 20, name: 'sample_key' }) key!: string;
  @Column({ type: 'int', nullable: true, transformer: cents, name: 'price_cents' }) price!: number | null;
  @Column({ type: Date, nullable: true, name: 'seen_at' }) seenAt!: Date | null;
  @Column({ type: 'date', nullable: true }) day!: string | null;
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) amount!: string | null;
  @Column({ type: Boolean, default: true, name: 'is_on' }) on!: boolean;
  @Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
  @Column({ type: 'bigint', nullable: true }) big!: string | null;
}

/** A tree whose children cascade, and are deleted when they are left out. */
@Entity('nodes')
export class Node {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) label!: string;
  @ManyToOne(() => Node, (node) => node.children, { orphanedRowAction: 'delete', nullable: true })
  parent!: Relation<Node> | null;
  @OneToMany(() => Node, (node) => node.parent, { cascade: true }) children!: Relation<Node>[];
}

/** The side of a one-to-one relation that holds no key, and a list whose members are let go. */
@Entity('houses')
export class House {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @OneToOne(() => Deed, (deed) => deed.house, { cascade: true }) deed!: Relation<Deed> | null;
  @OneToMany(() => Cat, (cat) => cat.house, { cascade: ['insert'] }) cats!: Relation<Cat>[];
}

@Entity('deeds')
export class Deed {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) number!: string;
  @OneToOne(() => House, (house) => house.deed, { nullable: true }) @JoinColumn() house!: Relation<House> | null;
}

@Entity('cats')
export class Cat {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @ManyToOne(() => House, (house) => house.cats, { orphanedRowAction: 'nullify', nullable: true })
  house!: Relation<House> | null;
}

/** Watched by a subscriber and by itself. */
@Entity('watched')
export class Watched {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'varchar', length: 20, default: 'plain' }) state!: string;
  @CreateDateColumn() createdAt!: Date;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;

  @AfterInsert() afterInsert(): void {
    events.push(`listener: inserted ${this.name} ${this.state} ${typeof this.id} ${this.createdAt instanceof Date}`);
  }

  @BeforeRemove() beforeRemove(): void {
    events.push(`listener: removing ${this.name}`);
  }
}

/** What was heard of {@link Watched}. */
export const events: string[] = [];

@EventSubscriber()
export class Watcher implements EntitySubscriberInterface<Watched> {
  listenTo() {
    return Watched;
  }
  afterInsert({ entity }: InsertEvent<Watched>): void {
    events.push(`inserted ${entity.name}`);
  }
  beforeUpdate({ entity, databaseEntity }: UpdateEvent<Watched>): void {
    events.push(`updating ${databaseEntity.name} to ${entity?.['name']}`);
    if (entity) entity['state'] = 'touched';
  }
  afterUpdate({ entity }: UpdateEvent<Watched>): void {
    events.push(`updated ${entity?.['name']} ${entity?.['state']}`);
  }
  afterRemove({ entity }: RemoveEvent<Watched>): void {
    events.push(`removed ${entity?.name}`);
  }
  afterSoftRemove({ entity }: SoftRemoveEvent<Watched>): void {
    events.push(`hidden ${entity?.name}`);
  }
  afterRecover({ entity }: RecoverEvent<Watched>): void {
    events.push(`back ${entity?.name}`);
  }
}

export const MORE_ENTITIES = [Sample, Node, House, Deed, Cat, Watched];
