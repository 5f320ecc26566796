/** Records with a column of every type that TypeORM prepares, and some whose classes fill in or change values. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Base, Mood } from './entities.js';

/** Makes something of nothing, and nothing of something. */
const moody = {
  to: (value: string | null | undefined) => (value === undefined ? 'unsaid' : value === 'unsay' ? undefined : value),
  from: (value: string | null) => value,
};

@Entity('shelves')
export class Shelf {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

@Entity('flats')
export class CommonFlat extends Base {
  @Column({ type: Boolean, nullable: true }) off!: boolean | null;
  @Column({ type: 'varchar', length: 20, default: 'what? $1', transformer: moody }) said!: string;
  @Column({ type: 'int', nullable: true }) shelfId!: number | null;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelfId' }) shelf?: Relation<Shelf>;
}

@Entity('flats')
export class PostgresFlat extends CommonFlat {
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
