/** What a member says about a task: the record of /comments. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CrudValidationGroups } from '@nestwright/crud';
import { IsInt, IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Member } from '../members/member.entity.js';
import { Task } from '../tasks/task.entity.js';
import { TenantRecord } from '../tenants/tenant-record.js';

const { UPDATE } = CrudValidationGroups;

@Entity('comments')
export class Comment extends TenantRecord {
  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column({ type: 'int' })
  taskId!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Of a new comment: the member who writes it' })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int' })
  authorId!: number;

  @ApiProperty({ minLength: 1 })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @IsNotEmpty({ always: true })
  @Column({ type: 'text' })
  body!: string;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiPropertyOptional({ type: () => Task })
  @IsOptional({ always: true })
  @ManyToOne(() => Task, (task) => task.comments, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'taskId' })
  task?: Relation<Task>;

  @ApiPropertyOptional({ type: () => Member })
  @IsOptional({ always: true })
  @ManyToOne(() => Member, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'authorId' })
  author?: Relation<Member>;
}
