/** The entity that the tests of `docs/testing.md` are about. */
import { IsEmail } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsEmail()
  @Column({ type: 'varchar', unique: true })
  email!: string;

  @Column({ type: 'boolean', default: true })
  isActive!: boolean;
}
