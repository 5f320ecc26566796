/** The resources of the suites about the hooks around changes: notes with comments, labels and a folder, whose service writes down what it is told. */
import { Controller, Inject, type Type } from '@nestjs/common';
import { type AuthOptions, type Change, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import * as orm from 'typeorm';
import { type ChangeContext, TypeOrmCrudService } from '../../src/index.js';

@orm.Entity('change_folders')
export class Folder {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ length: 20 }) name!: string;
  @orm.Column({ length: 20, default: 'ada' }) owner!: string;
}

@orm.Entity('change_labels')
export class Label {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ length: 20 }) name!: string;
}

@orm.Entity('change_notes')
export class Note {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ length: 20 }) title!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) slug!: string | null;
  @orm.Column({ type: 'decimal', precision: 8, scale: 2, nullable: true }) price!: string | null;
  @orm.Column({ type: Number, nullable: true }) rank!: number | null;
  @orm.Column({ length: 20, default: 'ada' }) owner!: string;
  @orm.Column({ type: 'varchar', length: 40, nullable: true, select: false }) secret!: string | null;
  @orm.Column({ type: 'int', nullable: true }) folderId!: number | null;
  @orm.ManyToOne(() => Folder, { cascade: ['insert'], onDelete: 'SET NULL' })
  @orm.JoinColumn({ name: 'folderId' })
  folder!: Folder | null;
  @orm.OneToMany(() => Comment, (comment) => comment.note, { cascade: ['insert', 'update'] })
  comments!: orm.Relation<Comment>[];
  @orm.ManyToMany(() => Label, { cascade: ['insert'] })
  @orm.JoinTable({ name: 'change_note_labels' })
  labels!: Label[];
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
}

@orm.Entity('change_comments')
export class Comment {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ length: 20 }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) noteId!: number | null;
  @orm.ManyToOne(() => Note, ({ comments }) => comments, { orphanedRowAction: 'delete', onDelete: 'CASCADE' })
  @orm.JoinColumn({ name: 'noteId' })
  note!: orm.Relation<Note>;
}

export interface Told {
  readonly hook: 'before' | 'after' | 'commit';
  readonly changes: readonly Change[];
  readonly context: ChangeContext;
}

/** Writes down what it is told, and does what a test says. */
export class NotesService extends TypeOrmCrudService<Note> {
  readonly told: Told[] = [];
  onBefore: (change: Change, context: ChangeContext) => unknown = () => undefined;
  onAfter: (change: Change, context: ChangeContext) => unknown = () => undefined;
  onCommit: (changes: readonly Change[], context: ChangeContext) => unknown = () => undefined;

  override async beforeChange(change: Change, context: ChangeContext) {
    this.told.push({ hook: 'before', changes: [copy(change)], context });
    await this.onBefore(change, context);
  }

  override async afterChange(change: Change, context: ChangeContext) {
    this.told.push({ hook: 'after', changes: [copy(change)], context });
    await this.onAfter(change, context);
  }

  override async afterCommit(changes: readonly Change[], context: ChangeContext) {
    this.told.push({ hook: 'commit', changes: changes.map(copy), context });
    await this.onCommit(changes, context);
  }

  /** Titles of what was told after its commit. */
  get commits(): string[][] {
    const commits = this.told.filter(({ hook }) => hook === 'commit');
    return commits.map(({ changes }) => changes.map(({ record }) => record.title as string));
  }

  /** The calls, as `before create Note`. */
  get calls(): string[] {
    const textOf = ({ kind, model }: Change) => `${kind} ${model}`;
    return this.told.map(({ hook, changes }) => [hook, ...changes.map(textOf)].join(' '));
  }

  /** Back to doing nothing. */
  reset(needsBefore?: NotesService['needsBefore']) {
    this.told.length = 0;
    const nothing = () => undefined;
    Object.assign(this, { needsBefore, onBefore: nothing, onAfter: nothing, onCommit: nothing });
  }
}

/** A record as it is now: hooks share it, and later ones may change it. */
function copy(change: Change): Change {
  const { record, before } = change;
  return { ...change, record: { ...record }, ...(before && { before: { ...before } }) } as Change;
}

const byCondition = { byCondition: true };
const OPTIONS = {
  model: { type: Note },
  validation: false,
  query: { softDelete: true, join: { comments: {}, labels: {}, folder: {} } },
  routes: { updateManyBase: byCondition, replaceManyBase: {}, deleteManyBase: byCondition, recoverManyBase: {} },
} satisfies CrudOptions<Note>;

// Of any entity.
function controllerOf(path: string, service: Type, options: CrudOptions<any>, auth: AuthOptions = {}): Type {
  @Crud(options)
  @CrudAuth(auth)
  @Controller(path)
  class Resource {
    constructor(@Inject(service) readonly service: TypeOrmCrudService<Note>) {}
  }
  return Resource;
}

export const CONTROLLERS = [
  controllerOf('notes', NotesService, OPTIONS),
  controllerOf('scoped', NotesService, OPTIONS, {
    filter: () => ({ owner: 'ada' }),
    persist: () => ({ secret: 'kept' }),
    relations: { folder: () => ({ owner: 'ada' }), comments: () => false, labels: () => false },
  }),
  controllerOf('upserted', NotesService, { ...OPTIONS, routes: { createManyBase: { onConflict: ['slug'] } } }),
  controllerOf('plain', TypeOrmCrudService, OPTIONS),
];

const ENTITIES = [Comment, Note, Folder, Label];

export const sourceOf = (connection: orm.DataSourceOptions, options: object = {}): orm.DataSource =>
  new orm.DataSource({ ...connection, entities: ENTITIES, synchronize: true, ...options } as orm.DataSourceOptions);

/** A service with hooks and one without. */
export function servicesOf(source: orm.DataSource) {
  const repository = source.getRepository(Note);
  return { notes: new NotesService(repository), plain: new TypeOrmCrudService(repository) };
}

export const providersOf = ({ notes, plain }: ReturnType<typeof servicesOf>) => [
  { provide: NotesService, useValue: notes },
  { provide: TypeOrmCrudService, useValue: plain },
];

export async function clear(source: orm.DataSource) {
  await source.query('DELETE FROM change_note_labels');
  for (const entity of ENTITIES) await source.createQueryBuilder().delete().from(entity).execute();
}
