/** A user of a company: the record of /users, /companies/:companyId/users and /me; the password leaves through none of them. */
import { CrudValidationGroups } from '@nestwright/crud';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToOne,
  PrimaryGeneratedColumn,
  type Relation,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { ANY_JSON } from '../any-json.js';
import { Company } from '../companies/company.entity.js';
import { decimal } from '../database/column-types.js';
import { Project } from '../projects/project.entity.js';
import { Name } from './name.js';
import { Profile } from './profile.entity.js';

const { UPDATE } = CrudValidationGroups;

// In alphabetical order: PostgreSQL and MySQL sort an enum by its declaration, SQLite by its text.
export enum Role {
  Admin = 'admin',
  Guest = 'guest',
  Member = 'member',
}

@Entity('users')
@Check('CHK_users_age', 'age BETWEEN 0 AND 150')
export class User {
  @ApiProperty({ type: 'integer', readOnly: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiProperty({ format: 'email', maxLength: 255, description: 'Unique' })
  @IsOptional({ groups: [UPDATE] })
  @IsEmail({}, { always: true })
  @Column({ type: 'varchar', length: 255, unique: true })
  email!: string;

  @ApiPropertyOptional({ type: () => Name })
  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  @Type(() => Name)
  @Column(() => Name)
  name!: Name;

  @ApiProperty({ maxLength: 100, writeOnly: true })
  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @Column({ type: 'varchar', length: 100 })
  password!: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, maximum: 150 })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  age!: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true })
  @IsOptional({ always: true })
  @IsNumber({ maxDecimalPlaces: 2 }, { always: true })
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true, transformer: decimal })
  balance!: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true })
  @IsOptional({ always: true })
  @IsNumber({}, { always: true })
  @Column({ type: 'double precision', nullable: true })
  score!: number | null;

  @ApiPropertyOptional({ default: true })
  @IsOptional({ always: true })
  @IsBoolean({ always: true })
  @Column({ type: 'boolean', default: true })
  isActive!: boolean;

  @ApiPropertyOptional({ enum: Role, enumName: 'Role', default: Role.Member })
  @IsOptional({ always: true })
  @IsEnum(Role, { always: true })
  @Column({ type: 'simple-enum', enum: Role, default: Role.Member })
  role!: Role;

  // A simple array is stored as one text, its items divided by commas.
  @ApiPropertyOptional({ type: [String], nullable: true })
  @IsOptional({ always: true })
  @IsArray({ always: true })
  @Matches(/^[^,]+$/, { always: true, each: true, message: '$property must be texts without a comma' })
  @Column({ type: 'simple-array', nullable: true })
  tags!: string[] | null;

  @ApiPropertyOptional(ANY_JSON)
  @IsOptional({ always: true })
  @Column({ type: 'simple-json', nullable: true })
  settings!: unknown;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true })
  @IsOptional({ always: true })
  @IsString({ always: true })
  @Column({ type: 'date', nullable: true })
  birthDate!: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Advances with each write; in a body: the version that is expected',
  })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @VersionColumn()
  version!: number;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;

  @ApiProperty({ readOnly: true })
  @UpdateDateColumn()
  updatedAt!: Date;

  @ApiProperty({ type: 'integer' })
  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column({ type: 'int' })
  companyId!: number;

  @ApiPropertyOptional({ type: () => Company })
  @IsOptional({ always: true })
  @ManyToOne(() => Company, (company) => company.users, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'companyId' })
  company?: Relation<Company>;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional({ always: true })
  @IsInt({ always: true })
  @Column({ type: 'int', nullable: true })
  profileId!: number | null;

  // A profile may be linked by its bare id, too.
  @ApiPropertyOptional({ type: () => Profile, nullable: true })
  @ValidateIf(({ profile }: User) => typeof profile === 'object' && profile !== null, { always: true })
  @ValidateNested({ always: true })
  @Type(() => Profile)
  @OneToOne(() => Profile, (profile) => profile.user, { cascade: ['insert', 'update'], onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'profileId' })
  profile?: Relation<Profile> | null;

  @ApiPropertyOptional({ type: () => [Project] })
  @IsOptional({ always: true })
  @ManyToMany(() => Project, (project) => project.users)
  @JoinTable({ name: 'user_projects', joinColumn: { name: 'userId' }, inverseJoinColumn: { name: 'projectId' } })
  projects?: Relation<Project>[];
}
