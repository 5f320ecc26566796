/** Records with a column of every type that TypeORM prepares, and some whose classes fill in or change values. */
import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { cents, Mood } from './entities.js';

/** Makes something of nothing, and nothing of something. */
const moody = {
  to: (value: string | null | undefined) => (value === undefined ? 'unsaid' : value === 'unsay' ? undefined : value),
  from: (value: string | null) => value,
};

@Entity('shelves')
export class Shelf {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

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
  @Column({ type: Boolean, nullable: true }) off!: boolean | null;
  @Column({ type: 'simple-enum', enum: Mood, default: Mood.Wild }) mood!: Mood;
  @Column({ type: 'simple-array', nullable: true }) tags!: string[] | null;
  @Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
  @Column({ type: 'date', nullable: true }) day!: string | null;
  @Column({ type: Date, nullable: true }) moment!: Date | null;
  @Column({ type: 'time', nullable: true }) time!: string | null;
  @Column({ type: 'int', nullable: true, transformer: cents }) price!: number | null;
  @Column({ type: 'varchar', length: 20, default: 'what? $1', transformer: moody }) said!: string;
  @Column({ type: 'int', nullable: true }) shelfId!: number | null;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelfId' }) shelf?: Relation<Shelf>;
  @VersionColumn() version!: number;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
}

@Entity('flats')
export class CommonFlat extends Common {}

@Entity('flats')
export class PostgresFlat extends Common {
  @Column({ type: 'jsonb', nullable: true }) document!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) precise!: Date | null;
  @Column({ type: 'enum', enum: Mood, nullable: true }) native!: Mood | null;
  @Column({ type: 'text', array: true, nullable: true }) list!: string[] | null;
  @Column({ type: 'uuid', nullable: true }) uuid!: string | null;
}

/** Two classes of one table, each with its own view of it. */
@Entity('pairs', { synchronize: false })
export class LeftHalf {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 9, nullable: true }) left!: string | null;
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

/** The class makes something else of what is set. */
@Entity('lowered')
export class Lowered {
  @PrimaryColumn({ type: 'int' }) id!: number;

  private kept: string | null = null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  get note(): string | null {
    return this.kept;
  }

  set note(value: string | null) {
    this.kept = value && value.toLowerCase();
  }
}
