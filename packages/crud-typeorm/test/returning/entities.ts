/** Records with a column of every type that a database has, for the writes that return them. */
import { Column, CreateDateColumn, DeleteDateColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { AfterInsert, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/** A transformer whose stored value is of another type. */
const cents = {
  to: (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value * 100) : value),
  from: (value: number | null) => (value === null ? null : Number(value) / 100),
};

export enum Mood {
  Calm = 'calm',
  Wild = 'it is wild',
}

class Place {
  @Column({ type: 'varchar', length: 40, nullable: true, name: 'place_town' }) town!: string | null;
  @Column({ type: 'int', default: 7 }) floor!: number;
}

/** Makes something of nothing, and nothing of something. */
const moody = {
  to: (value: string | null | undefined) => (value === undefined ? 'unsaid' : value === 'unsay' ? undefined : value),
  from: (value: string | null) => value,
};

/** What all databases know. */
abstract class Common {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 60, unique: true, nullable: true }) label!: string | null;
  @Column({ type: 'text', nullable: true }) long!: string | null;
  @Column({ type: 'smallint', nullable: true }) small!: number | null;
  @Column({ type: 'int', default: 3 }) whole!: number;
  @Column({ type: 'bigint', nullable: true }) big!: string | null;
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) amount!: string | null;
  @Column({ type: 'double precision', nullable: true }) double!: number | null;
  @Column({ type: 'boolean', default: true, name: 'is_on' }) on!: boolean;
  @Column({ type: 'simple-enum', enum: Mood, default: Mood.Wild }) mood!: Mood;
  @Column({ type: 'varchar', length: 20, default: 'what? $1', transformer: moody }) said!: string;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
  @Column({ type: 'date', nullable: true }) day!: string | null;
  @Column({ type: Date, nullable: true }) moment!: Date | null;
  @Column({ type: 'time', nullable: true }) time!: string | null;
  @Column({ type: 'int', nullable: true, transformer: cents }) price!: number | null;
  @Column({ type: 'int', nullable: true }) shelfId!: number | null;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelfId' }) shelf?: Relation<Shelf>;
  @Column(() => Place) place!: Place;
  @Column({ type: 'varchar', length: 20, select: false, nullable: true }) secret!: string | null;
  @Column({ type: 'varchar', length: 20, default: 'what? $1', update: false }) fixed!: string;
  @VersionColumn() version!: number;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
  @DeleteDateColumn() deletedAt!: Date | null;
  started = 'by the class';
}

@Entity('shelves')
export class Shelf {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

@Entity('things')
export class SqliteThing extends Common {
  @Column({ type: 'blob', nullable: true }) bytes!: Buffer | null;
}

@Entity('things')
export class MysqlThing extends Common {
  @Column({ type: 'blob', nullable: true }) bytes!: Buffer | null;
  @Column({ type: 'json', nullable: true }) document!: unknown;
  @Column({ type: 'datetime', precision: 3, nullable: true }) precise!: Date | null;
  @Column({ type: 'float', nullable: true }) float!: number | null;
}

@Entity('things')
export class PostgresThing extends Common {
  @Column({ type: 'bytea', nullable: true }) bytes!: Buffer | null;
  @Column({ type: 'jsonb', nullable: true }) document!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) precise!: Date | null;
  @Column({ type: 'real', nullable: true }) float!: number | null;
  @Column({ type: 'enum', enum: Mood, nullable: true }) native!: Mood | null;
  @Column({ type: 'text', array: true, nullable: true }) list!: string[] | null;
  @Column({ type: 'uuid', nullable: true }) uuid!: string | null;
  @Column({ type: 'interval', nullable: true }) span!: unknown;
  @Column({ type: 'int', generatedType: 'STORED', asExpression: '"whole" * 2', nullable: true }) twice!: number | null;
}

/** A key that the client or the driver makes. */
@Entity('tokens')
export class Token {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
}

/** A key of two parts, one of them renamed. */
@Entity('spots')
export class Spot {
  @PrimaryColumn({ type: 'int', name: 'the_row' }) row!: number;
  @PrimaryColumn({ type: 'varchar', length: 5 }) seat!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) guest!: string | null;
}

/** Someone looks on. */
@Entity('heard')
export class Heard {
  static readonly ids: number[] = [];
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
  @AfterInsert() hear(): void {
    Heard.ids.push(this.id);
  }
}

/** Two classes of one table, each with its own view of it. */
@Entity('pairs')
export class Pair {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 9, nullable: true }) left!: string | null;
  @Column({ type: 'varchar', length: 9, nullable: true }) right!: string | null;
}

@Entity('pairs', { synchronize: false })
export class RightHalf {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 9, nullable: true }) right!: string | null;
}

/** The class fills in what a body leaves out, at times. */
@Entity('started')
export class Started {
  static note: string | undefined;
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
  constructor() {
    if (Started.note !== undefined) this.note = Started.note;
  }
}
