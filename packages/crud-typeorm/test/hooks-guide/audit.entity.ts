import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Audit {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 40 }) entity!: string;
  @Column({ length: 20 }) kind!: string;
  @Column({ length: 80 }) recordId!: string;
  @Column({ length: 80 }) user!: string;
  @Column({ type: 'simple-json' }) changes!: unknown;
  @CreateDateColumn() at!: Date;
}
