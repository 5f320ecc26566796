import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class OutboxMessage {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 80 }) topic!: string;
  @Column({ type: 'simple-json' }) payload!: unknown;
}
