/** An application of two tenants over tasks with every kind of relation, and records that by a mistake of the past refer to another tenant's. */
import { Exclude, Expose } from 'class-transformer';
import type { AuthOptions } from '@nestwright/crud';
import * as orm from 'typeorm';

import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

abstract class Owned {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' }) tenant!: string;
}

abstract class Part extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) taskId!: number | null;
}

@orm.Entity('members')
class Member extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) email!: string;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

@orm.Entity('briefs')
class Brief extends Owned {
  @orm.Column({ type: 'varchar', length: 40 }) text!: string;
}

@orm.Entity('tasks')
class Task extends Owned {
  @orm.Column({ type: 'varchar', length: 40, default: 'none' }) text!: string;
  @orm.Column({ type: 'int', nullable: true }) parentId!: number | null;
  @orm.Column({ type: 'int', nullable: true }) assigneeId!: number | null;
  @orm.Column({ type: 'int', nullable: true }) auditorId!: number | null;
  @orm.ManyToOne(() => Task, ({ subtasks }) => subtasks, { cascade })
  @orm.JoinColumn({ name: 'parentId' })
  parent!: orm.Relation<Task>;
  @orm.OneToMany(() => Task, (task) => task.parent, { cascade }) subtasks!: orm.Relation<Task>[];
  @orm.ManyToMany(() => Task, (task) => task.relatedOf, { cascade })
  @orm.JoinTable({ name: 'task_related', joinColumn: { name: 'one' }, inverseJoinColumn: { name: 'other' } })
  related!: orm.Relation<Task>[];
  @orm.ManyToMany(() => Task, (task) => task.related, { cascade }) relatedOf!: orm.Relation<Task>[];
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'assigneeId' }) assignee!: orm.Relation<Member>;
  /** Without a property for its foreign key. */
  @orm.ManyToOne(() => Member, { cascade }) @orm.JoinColumn({ name: 'reviewer_id' }) reviewer!: orm.Relation<Member>;
  /** Free of conditions. */
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'auditorId' }) auditor!: orm.Relation<Member>;
  @orm.ManyToMany(() => Member) @orm.JoinTable({ name: 'task_watchers' }) watchers!: orm.Relation<Member>[];
  @orm.OneToOne(() => Brief, { cascade, nullable: true }) @orm.JoinColumn({ name: 'brief_id' }) brief!: Brief;
  @orm.OneToOne(() => Detail, (detail) => detail.task, { cascade }) detail!: orm.Relation<Detail>;
  @orm.OneToMany(() => Step, (step) => step.task, { cascade }) steps!: orm.Relation<Step>[];
}

@orm.Entity('details')
class Detail extends Part {
  @orm.OneToOne(() => Task, (task) => task.detail) @orm.JoinColumn({ name: 'taskId' }) task!: orm.Relation<Task>;
}

@orm.Entity('steps')
class Step extends Part {
  @orm.ManyToOne(() => Task, ({ steps }) => steps, { orphanedRowAction: 'delete' })
  @orm.JoinColumn({ name: 'taskId' })
  task!: Task;
}

@orm.Entity('folders')
@orm.Tree('materialized-path')
class Folder extends Owned {
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.TreeParent() parent!: orm.Relation<Folder> | null;
  @orm.TreeChildren({ cascade }) children!: orm.Relation<Folder>[];
}

@orm.Entity('seats')
class Seat {
  @orm.PrimaryColumn({ type: 'int' }) line!: number;
  @orm.PrimaryColumn({ type: 'int' }) place!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
}

@orm.Entity('bookings')
class Booking extends Owned {
  @orm.Column({ type: 'int', nullable: true, default: 1 }) line!: number | null;
  @orm.Column({ type: 'int', nullable: true }) place!: number | null;
  @orm.ManyToOne(() => Seat)
  @orm.JoinColumn(['line', 'place'].map((name) => ({ name, referencedColumnName: name })))
  seat!: orm.Relation<Seat>;
  @orm.ManyToMany(() => Seat) @orm.JoinTable({ name: 'booking_spares' }) spares!: orm.Relation<Seat>[];
}

const ENTITIES = [Member, Brief, Task, Detail, Step, Folder, Seat, Booking];

const ROWS: Readonly<Record<string, readonly string[]>> = {
  members: [
    "(id, tenant, email) VALUES (101, 'acme', 'a@acme'), (102, 'acme', 'b@acme'), (103, 'beta', 'c@beta')",
    "(id, tenant, email, deletedAt) VALUES (104, 'acme', 'gone@acme', '2020-01-01 00:00:00')",
  ],
  briefs: ["(id, tenant, text) VALUES (101, 'beta', 'brief of beta'), (102, 'acme', 'brief')"],
  tasks: [
    "(id, tenant, text) VALUES (101, 'beta', 'secret'), (102, 'beta', 'other'), (103, 'acme', 'mine'), (104, 'acme', 'near')",
    "(id, tenant, text, parentId, assigneeId, reviewer_id, brief_id) VALUES (105, 'acme', 'child', 103, 101, 101, 102)",
    // By a mistake of the past, of two tenants.
    "(id, tenant, text, parentId, assigneeId, reviewer_id, brief_id) VALUES (106, 'acme', 'mixed', 101, 103, 103, 101)",
  ],
  task_watchers: ['(tasksId, membersId) VALUES (103, 101), (106, 101), (106, 103), (106, 104)'],
  details: ["(id, tenant, text, taskId) VALUES (101, 'acme', 'detail', 103), (102, 'beta', 'detail', 106)"],
  steps: [
    "(id, tenant, text, taskId) VALUES (101, 'acme', 'one', 106), (102, 'acme', 'two', 106), (103, 'beta', 'three', 106)",
  ],
  folders: [
    "(id, tenant, name, mpath) VALUES (101, 'beta', 'beta', '101.'), (102, 'acme', 'acme', '102.')",
    "(id, tenant, name, parentId, mpath) VALUES (103, 'acme', 'below', 102, '102.103.')",
  ],
  seats: ["(line, place, tenant) VALUES (1, 1, 'acme'), (1, 2, 'beta'), (2, 2, 'acme')"],
  bookings: ["(id, tenant, line, place) VALUES (101, 'acme', 1, 1), (102, 'acme', 1, 2)"],
  booking_spares: ['(bookingsId, seatsLine, seatsPlace) VALUES (101, 1, 1), (101, 1, 2)'],
};

/** An INSERT whose columns are quoted, as PostgreSQL needs them. */
const inserting = (table: string, insert: string, { driver }: orm.DataSource) =>
  `INSERT INTO ${table} ${insert.replace(/^[^)]*/, (names) => names.replace(/\w+/g, (name) => driver.escape(name)))}`;

export async function seed(source: orm.DataSource): Promise<void> {
  await empty(source);
  await source.transaction(async (manager) => {
    for (const [table, inserts] of Object.entries(ROWS))
      for (const insert of inserts) await manager.query(inserting(table, insert, source));
  });
}

const ofTenant = ({ headers }: { headers: Record<string, string> }) => ({ tenant: headers['x-tenant'] });

const TENANT: AuthOptions = { filter: ofTenant, persist: ofTenant };

@Exclude()
class TextOnly {
  @Expose() id!: number;
  @Expose() text!: string;
}

const joins = (...names: string[]) => ({ join: Object.fromEntries(names.map((name) => [name, {}])) });
const ofEach = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ofTenant]));
const hiding: AuthOptions = { ...TENANT, relations: ofEach('assignee') };
const SEATS = ['seat', 'spares'];
const SEAT = ofEach('seat');

const RESOURCES = [
  looseResource(Task, 'tasks', {
    auth: {
      ...TENANT,
      relations: { ...ofEach('assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'), auditor: false },
    },
    query: joins('parent', 'subtasks', 'related', 'assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'),
  }),
  looseResource(Folder, 'folders', { auth: TENANT, query: joins('parent', 'children') }),
  looseResource(Booking, 'bookings', { auth: { ...TENANT, relations: ofEach(...SEATS) }, query: joins(...SEATS) }),
  looseResource(Booking, 'hiding', { auth: { ...TENANT, relations: SEAT }, query: { exclude: ['line', 'place'] } }),
  looseResource(Booking, 'first-line', { auth: { persist: () => ({ tenant: 'acme', line: 1 }), relations: SEAT } }),
  looseResource(Task, 'open-tasks', { auth: {} }),
  looseResource(Task, 'excluding-tasks', { auth: hiding, query: { exclude: ['assigneeId'] } }),
  looseResource(Task, 'short-tasks', { auth: hiding, serialize: { get: TextOnly, update: TextOnly } }),
];

/** Serves the application while the tests of a block run; requests come from the tenant `acme`. */
export function servingTenants(db: TestDatabase) {
  const statements = new Statements();
  const tenants = serving(db, ENTITIES, RESOURCES, {
    source: { logging: true, logger: statements, poolSize: 10 },
    // PostgreSQL counts on its own, whatever ids were stored.
    fill: async (source) => {
      const counting = source.entityMetadatas.filter(({ generatedColumns }) => generatedColumns.length > 0);
      for (const { tableName } of db.kind === 'postgres' ? counting : [])
        await source.query(`SELECT setval(pg_get_serial_sequence('${tableName}', 'id'), 100000)`);
    },
  });
  const send = (...[method, path, body]: Parameters<typeof tenants.send>) =>
    tenants.send(method, path, body, { 'x-tenant': 'acme' });

  return {
    send,
    statements,
    query: (sql: string) => tenants.source.query(sql),
    get source() {
      return tenants.source;
    },
  };
}
