import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Task {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 200 }) title!: string;
  @Column({ length: 20, default: 'todo' }) status!: string;
}
