/** Records of every kind of key, relation and column that a write treats in its own way. */
import * as orm from 'typeorm';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@orm.Entity('teams')
export class Team {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 40, unique: true }) title!: string;
  @orm.VersionColumn() version!: number;
  @orm.UpdateDateColumn() updatedAt!: Date;
  /** Nothing that an UPDATE of TypeORM's own may set. */
  @orm.DeleteDateColumn({ nullable: true, update: false }) deletedAt!: Date | null;
}

export class Name {
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) first!: string | null;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) last!: string | null;
}

@orm.Entity('badges')
export class Badge {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) color!: string;
}

@orm.Entity('skills')
export class Skill {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, unique: true }) label!: string;
}

@orm.Entity('people')
@orm.Check('CHK_age', 'age >= 0 AND age <= 150')
export class Person {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 60, unique: true }) email!: string;
  @orm.Column(() => Name) name!: Name;
  @orm.Column({ type: 'int', nullable: true }) age!: number | null;
  @orm.Column({ type: 'varchar', length: 10, default: 'new' }) state!: string;
  @orm.Column({ type: 'varchar', length: 30, name: 'pass_word', select: false, nullable: true }) password!:
    string | null;
  @orm.VersionColumn() version!: number;
  @orm.CreateDateColumn() createdAt!: Date;
  @orm.UpdateDateColumn() updatedAt!: Date;
  @orm.Column({ type: 'int' }) teamId!: number;
  @orm.ManyToOne(() => Team, { nullable: false }) @orm.JoinColumn({ name: 'teamId' }) team!: Team;
  @orm.OneToOne(() => Badge, { cascade, nullable: true }) @orm.JoinColumn() badge!: orm.Relation<Badge> | null;
  @orm.ManyToMany(() => Skill, { cascade }) @orm.JoinTable({ name: 'people_skills' }) skills!: Skill[];
  @orm.OneToMany(() => Task, (task) => task.person, { cascade }) tasks!: orm.Relation<Task>[];
}

@orm.Entity('tasks')
export class Task {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) what!: string;
  @orm.Column({ type: 'int', nullable: true }) personId!: number | null;
  @orm.ManyToOne(() => Person, ({ tasks }) => tasks) @orm.JoinColumn({ name: 'personId' }) person!: Person;
}

@orm.Entity('seats')
@orm.Unique('UQ_label', ['row', 'label'])
export class Seat {
  @orm.PrimaryColumn({ type: 'int' }) row!: number;
  @orm.PrimaryColumn({ type: 'int' }) number!: number;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
}

export const PEOPLE = [Team, Badge, Skill, Person, Task, Seat];

@orm.Entity('tickets')
export class Ticket {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', insert: false, nullable: true }) note?: string;
}

/** A text as an object that can print itself, which cannot be cloned. */
const printing = {
  to: (value?: { print(): string } | string) => (typeof value === 'object' ? value.print() : value),
  from: (text: string) => ({ print: () => text }),
};

/** Watched by a subscriber and by itself. */
@orm.Entity('watched')
export class Watched {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'varchar', length: 20, default: 'plain' }) state!: string;
  @orm.Column({ type: 'varchar', length: 20, default: 'cm', transformer: printing }) unit!: { print(): string };
  @orm.VersionColumn() version!: number;
  @orm.CreateDateColumn() createdAt!: Date;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;

  @orm.AfterInsert() afterInsert(): void {
    events.push(`listener: inserted ${this.name} ${this.state} ${typeof this.id} ${this.createdAt instanceof Date}`);
  }

  @orm.BeforeRemove() beforeRemove(): void {
    events.push(`listener: removing ${this.name}`);
  }
}

export const events: string[] = [];

@orm.EventSubscriber()
export class Watcher implements orm.EntitySubscriberInterface<Watched> {
  listenTo = () => Watched;
  afterInsert = ({ entity }: orm.InsertEvent<Watched>) => void events.push(`inserted ${entity.name}`);
  beforeUpdate({ entity, databaseEntity }: orm.UpdateEvent<Watched>): void {
    events.push(`updating ${databaseEntity.name} ${databaseEntity.unit.print()} to ${entity?.['name']}`);
    if (entity) entity['state'] = 'touched';
  }
  afterUpdate = ({ entity, updatedColumns }: orm.UpdateEvent<Watched>) =>
    void events.push(`updated ${entity?.['name']}: ${updatedColumns.map(({ propertyName }) => propertyName).join()}`);
  afterRemove = ({ entity }: orm.RemoveEvent<Watched>) => void events.push(`removed ${entity?.name}`);
  afterSoftRemove = ({ entity }: orm.SoftRemoveEvent<Watched>) => void events.push(`hidden ${entity?.name}`);
  beforeRecover = ({ entity }: orm.RecoverEvent<Watched>) => void events.push(`recovering ${entity?.name}`);
  afterRecover = ({ entity }: orm.RecoverEvent<Watched>) => void events.push(`back ${entity?.name}`);
}

const owned = { nullable: true, onDelete: 'CASCADE' } as const;

/** A record with one of everything that writes of several requests can race for. */
@orm.Entity('accounts')
export class Account {
  @orm.PrimaryColumn({ type: 'varchar', length: 20 }) id!: string;
  @orm.Column({ type: 'varchar', length: 20, unique: true, nullable: true }) name!: string | null;
  @orm.Column({ type: 'varchar', length: 20, default: '' }) first!: string;
  @orm.Column({ type: 'varchar', length: 20, default: '' }) second!: string;
  @orm.Column({ type: 'varchar', length: 20, default: '' }) third!: string;
  @orm.Column({ type: 'varchar', length: 20, default: '' }) fourth!: string;
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @orm.OneToOne(() => Profile, { cascade, nullable: true }) @orm.JoinColumn() profile!: orm.Relation<Profile> | null;
  @orm.OneToOne(() => Address, (address) => address.account, { cascade }) address!: orm.Relation<Address> | null;
  @orm.OneToMany(() => Item, (item) => item.account, { cascade }) items!: orm.Relation<Item>[];
  @orm.OneToMany(() => Slot, (slot) => slot.account, { cascade }) slots!: orm.Relation<Slot>[];
  @orm.ManyToMany(() => Tag) @orm.JoinTable({ name: 'accounts_tags' }) tags!: orm.Relation<Tag>[];
}

@orm.Entity('profiles')
export class Profile {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) bio!: string;
}

/** Without a unique foreign key, which the relation would make: an inverse side that nothing but the write itself keeps single. */
@orm.Entity('addresses')
export class Address {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) street!: string;
  @orm.OneToOne(() => Account, ({ address }) => address, owned) @orm.JoinColumn() account!: Account | null;
}

abstract class Thing {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) what!: string;
}

@orm.Entity('items')
export class Item extends Thing {
  @orm.ManyToOne(() => Account, ({ items }) => items, { ...owned, orphanedRowAction: 'delete' })
  account!: Account | null;
}

@orm.Entity('slots')
export class Slot extends Thing {
  @orm.ManyToOne(() => Account, ({ slots }) => slots, owned) account!: orm.Relation<Account> | null;
}

@orm.Entity('tags')
export class Tag {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
}

export const ACCOUNTS = [Account, Profile, Address, Item, Slot, Tag];

/** Keeps texts backwards, nulls as they are. */
const reverse = (value: unknown) => (typeof value === 'string' ? [...value].reverse().join('') : value);
const backwards = { to: reverse, from: reverse };

@orm.Entity('makers')
export class Maker {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
}

@orm.Entity('labels')
export class Label {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
}

export class Size {
  @orm.Column({ type: 'int', nullable: true }) width!: number | null;
  @orm.Column({ type: 'int', nullable: true }) height!: number | null;
}

@orm.Entity('products')
export class Product {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 40, nullable: true }) name!: string | null;
  @orm.Column({ type: 'text', nullable: true }) notes!: string | null;
  @orm.Column({ type: 'int', nullable: true }) count!: number | null;
  @orm.Column({ type: 'bigint', nullable: true }) big!: string | null;
  @orm.Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) price!: string | null;
  @orm.Column({ type: 'float', nullable: true }) weight!: number | null;
  @orm.Column({ type: Boolean, nullable: true }) sold!: boolean | null;
  @orm.Column({ type: 'date', nullable: true }) day!: string | null;
  @orm.Column({ type: 'time', nullable: true }) time!: string | null;
  @orm.Column({ type: Date, nullable: true }) seen!: Date | null;
  @orm.Column({ type: 'simple-json', nullable: true }) settings!: unknown;
  @orm.Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @orm.Column({ type: 'varchar', length: 40, nullable: true, transformer: backwards }) code!: string | null;
  @orm.Column({ type: 'varchar', length: 40, nullable: true, select: false }) secret!: string | null;
  @orm.Column(() => Size) size!: Size;
  @orm.VersionColumn() version!: number;
  @orm.CreateDateColumn() createdAt!: Date;
  @orm.UpdateDateColumn() updatedAt!: Date;
  @orm.Column({ type: 'int', nullable: true }) makerId!: number | null;
  @orm.ManyToOne(() => Maker, { nullable: true }) @orm.JoinColumn({ name: 'makerId' }) maker!: Maker | null;
  @orm.ManyToOne(() => Maker, { nullable: true }) seller!: orm.Relation<Maker> | null;
  @orm.ManyToMany(() => Label) @orm.JoinTable({ name: 'product_labels' }) labels!: orm.Relation<Label>[];
}
