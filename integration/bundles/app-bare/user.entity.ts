/** The record of an application without the optional peers. */
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  email!: string;

  @Column('text', { default: 'hidden' })
  secret!: string;

  @Column('text', { default: 'unlisted' })
  phone!: string;
}
