/** Entities of the vault: what belongs to a tenant, and columns that are hidden in each of the ways there are. */
import { Exclude } from 'class-transformer';
import {
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';

export enum Kind {
  Plain = 'plain',
  Secret = 'secret',
}

@Entity('vault_tenants')
export class Tenant {
  @PrimaryColumn({ type: 'varchar', length: 40 }) code!: string;
  @Column({ type: 'varchar', length: 100 }) name!: string;
  /** Hidden by its column. */
  @Column({ type: 'varchar', length: 100, select: false }) apiKey!: string;
}

@Entity('vault_folders')
export class Folder {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) tenantCode!: string;
  @ManyToOne(() => Tenant) @JoinColumn({ name: 'tenantCode' }) tenant?: Relation<Tenant>;
  @Column({ type: 'varchar', length: 100 }) title!: string;
  @OneToMany(() => Note, (note) => note.folder, { cascade: ['insert', 'update'] }) notes?: Relation<Note>[];
}

@Entity('vault_labels')
export class Label {
  @PrimaryColumn({ type: 'varchar', length: 100 }) code!: string;
  @Column({ type: 'text', nullable: true }) text!: string | null;
}

@Entity('vault_notes')
export class Note {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) folderId!: number;
  @ManyToOne(() => Folder, (folder) => folder.notes) @JoinColumn({ name: 'folderId' }) folder?: Relation<Folder>;
  @Column({ type: 'simple-enum', enum: Kind, default: Kind.Plain }) kind!: Kind;
  @Column({ type: 'varchar', length: 100 }) title!: string;
  /** Hidden by its column. */
  @Column({ type: 'varchar', length: 100, default: 'unsaid', select: false }) secret!: string;
  /** Hidden by the resource. */
  @Column({ type: 'varchar', length: 100, default: 'unsaid' }) token!: string;
  /** Hidden by its class. */
  @Exclude() @Column({ type: 'varchar', length: 100, default: 'unsaid' }) pin!: string;
  /** Hidden by the resource, with every key in it. */
  @Column({ type: 'simple-json', nullable: true }) meta!: { level: string } | null;
  @DeleteDateColumn() deletedAt!: Date | null;
  @ManyToMany(() => Label) @JoinTable({ name: 'vault_note_labels' }) labels?: Relation<Label>[];
}

export const ENTITIES = [Tenant, Folder, Note, Label];
