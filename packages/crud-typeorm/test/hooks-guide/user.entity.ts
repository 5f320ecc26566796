import { Column, Entity, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

@Entity('hook_users')
export class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 40, unique: true }) name!: string;
  @Column({ length: 80 }) email!: string;
  @ManyToOne(() => User, { cascade: ['insert', 'update'], createForeignKeyConstraints: false })
  manager?: Relation<User> | null;
}
