/** Mapped types of @nestjs/swagger: what a change may carry, and what one record shows. They inherit what decorators say of the classes that they are made of. */
import { PartialType, PickType } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import { User } from './user.entity.js';

class Face {
  id!: number;

  email!: string;

  @Exclude()
  phone!: string;
}

export class UserChange extends PartialType(User) {}

export class UserView extends PickType(Face, ['id', 'email', 'phone']) {}
