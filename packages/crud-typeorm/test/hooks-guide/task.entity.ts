import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Task {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 200, unique: true }) title!: string;
  @Column({ length: 20, default: 'todo' }) status!: string;
  @Column({ type: 'varchar', length: 80, select: false, nullable: true }) secret?: string | null;
}
