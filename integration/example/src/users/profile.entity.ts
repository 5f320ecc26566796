/** What a user tells about themselves; written through the user, whose relation cascades. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Column, CreateDateColumn, Entity, OneToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { User } from './user.entity.js';

@Entity('user_profiles')
export class Profile {
  @ApiProperty({ type: 'integer', readOnly: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'text', nullable: true })
  bio!: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 80 })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 80, nullable: true })
  city!: string | null;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiPropertyOptional({ type: () => User })
  @IsOptional({ always: true })
  @OneToOne(() => User, (user) => user.profile)
  user?: Relation<User>;
}
