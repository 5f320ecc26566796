/** Two tenants whose records are linked across: tasks of members, members of teams. */
import * as orm from 'typeorm';

@orm.Entity('scope_teams')
export class Team {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
}

@orm.Entity('scope_members')
export class Member {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'int' }) teamId!: number;
  @orm.ManyToOne(() => Team) @orm.JoinColumn({ name: 'teamId' }) team!: orm.Relation<Team>;
  @orm.Column({ type: 'int', nullable: true }) managerId!: number | null;
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'managerId' }) manager!: orm.Relation<Member> | null;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
}

@orm.Entity('scope_tasks')
export class Task {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20 }) title!: string;
  @orm.Column({ type: 'int', nullable: true }) assigneeId!: number | null;
  @orm.ManyToOne(() => Member) @orm.JoinColumn({ name: 'assigneeId' }) assignee!: orm.Relation<Member> | null;
  @orm.ManyToMany(() => Member) @orm.JoinTable({ name: 'scope_watchers' }) watchers!: orm.Relation<Member>[];
  @orm.Column({ type: 'int', nullable: true }) parentId!: number | null;
  @orm.ManyToOne(() => Task, ({ subtasks }) => subtasks) @orm.JoinColumn({ name: 'parentId' }) parent!: Task | null;
  @orm.OneToMany(() => Task, (task) => task.parent) subtasks!: orm.Relation<Task>[];
}

/** Of the links, those across tenants are a mistake of the past. Eve is deleted. */
export async function seed(source: orm.DataSource): Promise<void> {
  const teams = Object.entries({ acme: 'red', beta: 'blue' });
  await source.getRepository(Team).insert(teams.map(([tenant, name], at) => ({ id: at + 1, tenant, name })));
  await source.getRepository(Member).insert([
    { id: 1, tenant: 'acme', name: 'Ann', teamId: 1 },
    { id: 3, tenant: 'beta', name: 'Cyd', teamId: 2 },
    { id: 2, tenant: 'acme', name: 'Ben', teamId: 2, managerId: 3 },
    { id: 4, tenant: 'beta', name: 'Dee', teamId: 1, managerId: 1 },
    { id: 5, tenant: 'acme', name: 'Eve', teamId: 1, deletedAt: new Date('2026-01-01T00:00:00Z') },
  ]);
  await source.getRepository(Task).insert([
    { id: 1, tenant: 'acme', title: 'one', assigneeId: 1 },
    { id: 2, tenant: 'acme', title: 'two', assigneeId: 3 },
    { id: 3, tenant: 'acme', title: 'three', assigneeId: 5, parentId: 1 },
    { id: 4, tenant: 'acme', title: 'four', assigneeId: 2, parentId: 1 },
    { id: 5, tenant: 'beta', title: 'five', assigneeId: 3, parentId: 1 },
  ]);
  await source.getRepository(Task).update({ id: 2 }, { parentId: 5 });
  const watching: Record<number, number[]> = { 1: [1, 3], 2: [3], 4: [2, 4, 5], 5: [1] };
  for (const [task, members] of Object.entries(watching))
    await source.createQueryBuilder().relation(Task, 'watchers').of(Number(task)).add(members);
}
