/** The vault: two tenants' folders and notes, scoped by path, by text, by enum, by a column and by a relation, and columns that are hidden in each of the ways there are. */
import { Exclude } from 'class-transformer';
import { IsString } from 'class-validator';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany } from 'typeorm';
import { looseResource, resource, serve } from '../../../packages/crud-typeorm/test/support/resources.js';
import type { HttpPlatform, TestDatabase } from '../../test-support/index.js';

const TEXT = { type: 'varchar', length: 100 } as const;
const CODE = { type: 'varchar', length: 40 } as const;

enum Kind {
  Plain = 'plain',
  Secret = 'secret',
}

@Entity('vault_tenants')
class Tenant {
  @PrimaryColumn(CODE) code!: string;
  @Column(TEXT) name!: string;
  /** Hidden by its column. */
  @Column({ ...TEXT, select: false }) apiKey!: string;
}

@Entity('vault_folders')
class Folder {
  @PrimaryGeneratedColumn() id!: number;
  @Column(CODE) tenantCode!: string;
  @ManyToOne(() => Tenant) @JoinColumn({ name: 'tenantCode' }) tenant?: Relation<Tenant>;
  @Column(TEXT) title!: string;
  @OneToMany(() => Note, (note) => note.folder, { cascade: ['insert', 'update'] }) notes?: Relation<Note>[];
}

@Entity('vault_labels')
class Label {
  @PrimaryColumn(TEXT) @IsString() code!: string;
  @Column({ type: 'text', nullable: true }) @IsString() text!: string | null;
}

@Entity('vault_notes')
class Note {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) folderId!: number;
  @ManyToOne(() => Folder, (folder) => folder.notes) @JoinColumn({ name: 'folderId' }) folder?: Relation<Folder>;
  @Column({ type: 'simple-enum', enum: Kind, default: Kind.Plain }) kind!: Kind;
  @Column(TEXT) title!: string;
  /** Hidden by its column. */
  @Column({ ...TEXT, default: 'unsaid', select: false }) secret!: string;
  /** Hidden by the resource. */
  @Column({ ...TEXT, default: 'unsaid' }) token!: string;
  /** Hidden by its class. */
  @Exclude() @Column({ ...TEXT, default: 'unsaid' }) pin!: string;
  /** Hidden by the resource, with every key in it. */
  @Column({ type: 'simple-json', nullable: true }) meta!: { level: string } | null;
  @DeleteDateColumn() deletedAt!: Date | null;
  @ManyToMany(() => Label) @JoinTable({ name: 'vault_note_labels' }) labels?: Relation<Label>[];
}

/** Stands in for authentication: the header `x-tenant` is believed. */
const scopedBy = (column: string) => ({
  property: 'headers',
  filter: ({ 'x-tenant': tenant }: Record<string, string>) => ({ [column]: tenant }),
});

const HIDDEN = { exclude: ['token', 'meta'] };
const OF_NOTES = { ...HIDDEN, cursor: true } as const;
const KEY = { id: { field: 'id', type: 'number', primary: true } } as const;
const OF_MANY = {
  countBase: true,
  updateManyBase: true,
  replaceManyBase: true,
  deleteManyBase: true,
  recoverManyBase: true,
} as const;

const RESOURCES = [
  // Scoped by a column, which writes must keep to by themselves.
  resource(Folder, 'my/folders', {
    validation: false,
    query: { cursor: true, etag: true, join: { notes: { alias: 'papers', ...HIDDEN }, tenant: {} } },
    routes: { ...OF_MANY, replaceOneBase: { merge: true } },
    auth: scopedBy('tenantCode'),
  }),
  // Scoped by a column of a relation, whose values the body decides.
  looseResource(Note, 'my/notes', {
    validation: false,
    query: { ...OF_NOTES, etag: true, softDelete: true, join: { folder: {}, 'folder.tenant': {}, labels: {} } },
    routes: { ...OF_MANY, deleteOneBase: { returnDeleted: true }, createOneBase: { returnShallow: true } },
    auth: scopedBy('folder.tenantCode'),
  }),
  // Scoped by a path parameter that is any text.
  resource(Folder, 'tenants/:tenant/folders', {
    validation: false,
    params: { tenant: { field: 'tenantCode', type: 'string' }, ...KEY },
    query: { cursor: true, etag: true, join: { tenant: {}, notes: HIDDEN, 'notes.labels': {} } },
    routes: OF_MANY,
  }),
  // Scoped by a path parameter that is one of an enumeration; unknown names in `fields` and `join` are left out.
  looseResource(Note, 'kinds/:kind/notes', {
    validation: false,
    params: { kind: { field: 'kind', enum: Kind }, ...KEY },
    query: { ...OF_NOTES, unknown: 'ignore' },
    routes: OF_MANY,
  }),
  // Addressed by a text, and strict: its bodies may say nothing but what they should.
  resource(Label, 'labels', {
    validation: { whitelist: true, forbidNonWhitelisted: true },
    params: { code: { field: 'code', type: 'string', primary: true } },
    routes: OF_MANY,
  }),
];

/** Three folders of two notes: the first two are the tenant north's, the third is south's. */
export async function openVault(database: TestDatabase, platform: HttpPlatform) {
  const served = await serve(database, [Tenant, Folder, Note, Label], RESOURCES, { platform });
  const { manager } = served.source;
  const tenant = (code: string, name: string) => ({ code, name, apiKey: `key-of-${code}` });
  await manager.insert(Tenant, [tenant('north', 'North'), tenant('south', 'South')]);
  await manager.insert(Label, { code: 'red', text: 'Red' });
  await manager.insert(Label, { code: 'blue', text: null });
  for (const [index, tenantCode] of ['north', 'north', 'south'].entries()) {
    const { id } = await manager.save(Folder, { tenantCode, title: `folder ${index + 1}` });
    for (const kind of Object.values(Kind)) {
      const hidden = `hidden-${kind}-${id}`;
      const secrets = { secret: hidden, token: hidden, pin: hidden, meta: { level: hidden } };
      await manager.insert(Note, { folderId: id, kind, title: `${kind} of ${id}`, ...secrets });
    }
  }
  return served;
}
