/** A record with one of everything that writes of several requests can race for. */
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

@Entity('accounts')
export class Account {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string;
  @Column({ type: 'varchar', length: 20, unique: true, nullable: true }) name!: string | null;
  @Column({ type: 'varchar', length: 20, default: '' }) first!: string;
  @Column({ type: 'varchar', length: 20, default: '' }) second!: string;
  @Column({ type: 'varchar', length: 20, default: '' }) third!: string;
  @Column({ type: 'varchar', length: 20, default: '' }) fourth!: string;
  @VersionColumn() version!: number;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @OneToOne(() => Profile, { cascade: ['insert', 'update'], nullable: true })
  @JoinColumn()
  profile!: Relation<Profile> | null;
  @OneToOne(() => Address, (address) => address.account, { cascade: ['insert', 'update'] })
  address!: Relation<Address> | null;
  @OneToMany(() => Item, (item) => item.account, { cascade: ['insert', 'update'] }) items!: Relation<Item>[];
  @OneToMany(() => Slot, (slot) => slot.account, { cascade: ['insert', 'update'] }) slots!: Relation<Slot>[];
  @ManyToMany(() => Tag) @JoinTable({ name: 'accounts_tags' }) tags!: Relation<Tag>[];
}

@Entity('profiles')
export class Profile {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) bio!: string;
}

/** Without a unique foreign key, which the relation would make: an inverse side that nothing but the write itself keeps single. */
@Entity('addresses')
export class Address {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) street!: string;
  @OneToOne(() => Account, (account) => account.address, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn()
  account!: Relation<Account> | null;
}

/** Items that a list leaves out are deleted. */
@Entity('items')
export class Item {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) what!: string;
  @ManyToOne(() => Account, (account) => account.items, {
    orphanedRowAction: 'delete',
    nullable: true,
    onDelete: 'CASCADE',
  })
  account!: Relation<Account> | null;
}

/** Slots that a list leaves out stay. */
@Entity('slots')
export class Slot {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) what!: string;
  @ManyToOne(() => Account, (account) => account.slots, { nullable: true, onDelete: 'CASCADE' })
  account!: Relation<Account> | null;
}

@Entity('tags')
export class Tag {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

export const RACE_ENTITIES = [Account, Profile, Address, Item, Slot, Tag];
