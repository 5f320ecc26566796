/** Records with columns of which a write tells more, or less, than what is sent; keys of each kind; classes that have their say. */
import { Column, CreateDateColumn, DeleteDateColumn, UpdateDateColumn, VersionColumn } from 'typeorm';
import { Entity, JoinColumn, ManyToOne } from 'typeorm';
import { PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';

const cents = {
  to: (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value * 100) : value),
  from: (value: number | null) => (value === null ? null : Number(value) / 100),
};

class Place {
  @Column({ type: 'varchar', length: 40, nullable: true, name: 'place_town' }) town!: string | null;
  @Column({ type: 'int', default: 7 }) floor!: number;
}

/** Makes something of nothing, and nothing of something. */
const moody = {
  to: (value: string | null | undefined) => (value === undefined ? 'unsaid' : value === 'unsay' ? undefined : value),
  from: (value: string | null) => value,
};

@Entity('things')
export class Thing {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 60, unique: true, nullable: true }) label!: string | null;
  @Column({ type: 'int', default: 3 }) whole!: number;
  @Column({ type: 'boolean', default: true, name: 'is_on' }) on!: boolean;
  @Column({ type: 'varchar', length: 20, default: 'what? $1', transformer: moody }) said!: string;
  @Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
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

/** With a column that the database computes. */
@Entity('things')
export class PostgresThing extends Thing {
  @Column({ type: 'int', generatedType: 'STORED', asExpression: '"whole" * 2', nullable: true }) twice!: number | null;
}

@Entity('shelves')
export class Shelf {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

/** A key that the client or the driver makes. */
@Entity('tokens')
export class Token {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null;
}

@Entity('spots')
export class Spot {
  @PrimaryColumn({ type: 'int', name: 'the_row' }) row!: number;
  @PrimaryColumn({ type: 'varchar', length: 5 }) seat!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) guest!: string | null;
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
