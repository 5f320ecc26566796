/** What the examples of `docs/hooks.md` and `docs/events.md` are about. */
import { Injectable } from '@nestjs/common';
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

@Entity()
export class Task {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 200, unique: true }) title!: string;
  @Column({ length: 20, default: 'todo' }) status!: string;
  @Column({ type: 'varchar', length: 80, select: false, nullable: true }) secret?: string | null;
}

@Entity('hook_users')
export class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 40, unique: true }) name!: string;
  @Column({ length: 80 }) email!: string;
  @ManyToOne(() => User, { cascade: ['insert', 'update'], createForeignKeyConstraints: false })
  manager?: Relation<User> | null;
}

/** Stands for whatever messages are sent by. */
@Injectable()
export class Broker {
  readonly sent: { id: number; topic: string; payload: unknown }[] = [];

  async send(message: { id: number; topic: string; payload: unknown }): Promise<void> {
    this.sent.push(message);
  }
}
