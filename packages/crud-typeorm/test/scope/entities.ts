/** Two tenants whose records are linked across: tasks of members, members of teams. */
import {
  Column,
  type DataSource,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

@Entity('scope_teams')
export class Team {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) tenant!: string;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('scope_members')
export class Member {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) tenant!: string;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int' }) teamId!: number;
  @ManyToOne(() => Team)
  @JoinColumn({ name: 'teamId' })
  team!: Relation<Team>;
  @Column({ type: 'int', nullable: true }) managerId!: number | null;
  @ManyToOne(() => Member)
  @JoinColumn({ name: 'managerId' })
  manager!: Relation<Member> | null;
  @DeleteDateColumn() deletedAt!: Date | null;
}

@Entity('scope_tasks')
export class Task {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) tenant!: string;
  @Column({ type: 'varchar', length: 20 }) title!: string;
  @Column({ type: 'int', nullable: true }) assigneeId!: number | null;
  @ManyToOne(() => Member)
  @JoinColumn({ name: 'assigneeId' })
  assignee!: Relation<Member> | null;
  @ManyToMany(() => Member)
  @JoinTable({ name: 'scope_watchers' })
  watchers!: Relation<Member>[];
  @Column({ type: 'int', nullable: true }) parentId!: number | null;
  @ManyToOne(() => Task, (task) => task.subtasks)
  @JoinColumn({ name: 'parentId' })
  parent!: Relation<Task> | null;
  @OneToMany(() => Task, (task) => task.parent) subtasks!: Relation<Task>[];
}

/** Of the links, those across tenants are a mistake of the past. Eve is deleted. */
export async function seed(source: DataSource): Promise<void> {
  await source.getRepository(Team).insert([
    { id: 1, tenant: 'acme', name: 'red' },
    { id: 2, tenant: 'beta', name: 'blue' },
  ]);
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
