/** The record: a rule on `email`, a column that nobody may see. */
import { Exclude } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id!: number;

  @IsEmail({}, { always: true })
  @Column('text')
  email!: string;

  @Exclude()
  @Column('text', { default: 'hidden' })
  secret!: string;

  @Column('text', { default: 'unlisted' })
  phone!: string;
}
