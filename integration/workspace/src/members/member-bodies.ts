/** What a body of /members may say: the password itself, never its hash. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail, IsEnum, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { Role } from './member.entity.js';

export class CreateMember {
  @ApiProperty({ format: 'email', maxLength: 255, description: 'Unique' })
  @IsEmail()
  @MaxLength(255)
  email!: string;

  @ApiProperty({ minLength: 1, maxLength: 80 })
  @IsString()
  @Length(1, 80)
  name!: string;

  @ApiProperty({ minLength: 8, maxLength: 100, writeOnly: true })
  @IsString()
  @Length(8, 100)
  password!: string;

  @ApiPropertyOptional({ enum: Role, enumName: 'Role', default: Role.Member })
  @IsOptional()
  @IsEnum(Role)
  role?: Role;
}

export class UpdateMember {
  @ApiPropertyOptional({ minLength: 1, maxLength: 80 })
  @IsOptional()
  @IsString()
  @Length(1, 80)
  name?: string;

  @ApiPropertyOptional({ minLength: 8, maxLength: 100, writeOnly: true })
  @IsOptional()
  @IsString()
  @Length(8, 100)
  password?: string;

  @ApiPropertyOptional({ enum: Role, enumName: 'Role' })
  @IsOptional()
  @IsEnum(Role)
  role?: Role;
}
