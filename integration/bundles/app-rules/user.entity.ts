/** The record of an application whose rules nobody could ask: class-transformer is not there. */
import { IsEmail } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsEmail({}, { always: true })
  @Column('text')
  email!: string;

  @Column('text', { default: 'hidden' })
  secret!: string;

  @Column('text', { default: 'unlisted' })
  phone!: string;
}
