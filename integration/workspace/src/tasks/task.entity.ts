/** A task of a project: the record of /tasks and /projects/:projectId/tasks, with relations of every kind. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { ANY_JSON, decimalText } from '@nestwright/example';
import { IsArray, IsEnum, IsInt, IsOptional, IsString, Length, Matches } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  type Relation,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { Comment } from '../comments/comment.entity.js';
import { IsDecimalText } from '../database/decimal-text.js';
import { Member } from '../members/member.entity.js';
import { Project } from '../projects/project.entity.js';
import { TenantRecord } from '../tenants/tenant-record.js';

const { UPDATE } = CrudValidationGroups;

// In alphabetical order: PostgreSQL and MySQL sort an enum by its declaration, SQLite by its text.
export enum Status {
  Doing = 'doing',
  Done = 'done',
  Todo = 'todo',
}

@Entity('tasks')
export class Task extends TenantRecord {
  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column({ type: 'int' })
  projectId!: number;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  parentId!: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  assigneeId!: number | null;

  @ApiProperty({ minLength: 1, maxLength: 200 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Length(1, 200, { always: true })
  @Column({ type: 'varchar', length: 200 })
  title!: string;

  @ApiPropertyOptional({ enum: Status, enumName: 'Status', default: Status.Todo })
  @IsOptional({ always: true })
  @IsEnum(Status, { always: true })
  @Column({ type: 'simple-enum', enum: Status, default: Status.Todo })
  status!: Status;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  priority!: number | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: '2.50' })
  @IsOptional({ always: true })
  @IsDecimalText({ always: true })
  @Column({ type: 'decimal', precision: 8, scale: 2, nullable: true, transformer: decimalText(2) })
  estimate!: string | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  points!: number | null;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'date', nullable: true })
  dueOn!: string | null;

  // A simple array is stored as one text, its items divided by commas.
  @ApiPropertyOptional({ type: [String], nullable: true })
  @IsOptional({ always: true })
  @IsArray({ always: true })
  @Matches(/^[^,]+$/, { always: true, each: true, message: '$property must be texts without a comma' })
  @Column({ type: 'simple-array', nullable: true })
  labels!: string[] | null;

  @ApiPropertyOptional(ANY_JSON)
  @IsOptional({ always: true })
  @Column({ type: 'simple-json', nullable: true })
  settings!: unknown;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Advances with each write; in a body: the version that is expected',
  })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @VersionColumn()
  version!: number;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn({ precision: 6 })
  createdAt!: Date;

  @ApiProperty({ readOnly: true })
  @UpdateDateColumn({ precision: 6 })
  updatedAt!: Date;

  @ApiProperty({ type: Date, nullable: true, readOnly: true })
  @DeleteDateColumn()
  deletedAt!: Date | null;

  @ApiPropertyOptional({ type: () => Project })
  @IsOptional({ always: true })
  @ManyToOne(() => Project, (project) => project.tasks, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'projectId' })
  project?: Relation<Project>;

  @ApiPropertyOptional({ type: () => Task, nullable: true })
  @IsOptional({ always: true })
  @ManyToOne(() => Task, (task) => task.subtasks, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'parentId' })
  parent?: Relation<Task> | null;

  @ApiPropertyOptional({ type: () => [Task] })
  @IsOptional({ always: true })
  @OneToMany(() => Task, (task) => task.parent, { cascade: ['insert', 'update'] })
  subtasks?: Relation<Task>[];

  @ApiPropertyOptional({ type: () => Member, nullable: true })
  @IsOptional({ always: true })
  @ManyToOne(() => Member, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'assigneeId' })
  assignee?: Relation<Member> | null;

  @ApiPropertyOptional({ type: () => [Member] })
  @IsOptional({ always: true })
  @ManyToMany(() => Member)
  @JoinTable({ name: 'task_watchers', joinColumn: { name: 'taskId' }, inverseJoinColumn: { name: 'memberId' } })
  watchers?: Relation<Member>[];

  @ApiPropertyOptional({ type: () => [Task] })
  @IsOptional({ always: true })
  @ManyToMany(() => Task, { cascade: ['insert', 'update'] })
  @JoinTable({ name: 'task_related', joinColumn: { name: 'taskId' }, inverseJoinColumn: { name: 'relatedId' } })
  related?: Relation<Task>[];

  @ApiPropertyOptional({ type: () => [Comment] })
  @IsOptional({ always: true })
  @OneToMany(() => Comment, (comment) => comment.task)
  comments?: Relation<Comment>[];
}
