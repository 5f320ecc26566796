/** A member of a tenant: the record of /members, and who speaks in every request. */
import { ApiProperty } from '@nestjs/swagger';
import { Column, CreateDateColumn, Entity } from 'typeorm';
import { TenantRecord } from '../tenants/tenant-record.js';

// In alphabetical order: PostgreSQL and MySQL sort an enum by its declaration, SQLite by its text.
export enum Role {
  Admin = 'admin',
  Member = 'member',
  Owner = 'owner',
}

@Entity('members')
export class Member extends TenantRecord {
  @ApiProperty({ format: 'email', maxLength: 255, description: 'Unique' })
  @Column({ type: 'varchar', length: 255, unique: true })
  email!: string;

  @ApiProperty({ minLength: 1, maxLength: 80 })
  @Column({ type: 'varchar', length: 80 })
  name!: string;

  // Never selected: in no response, no condition and no sort.
  @Column({ type: 'varchar', length: 100, select: false })
  passwordHash!: string;

  @ApiProperty({ enum: Role, enumName: 'Role', default: Role.Member })
  @Column({ type: 'simple-enum', enum: Role, default: Role.Member })
  role!: Role;

  @ApiProperty({ readOnly: true })
  @CreateDateColumn()
  createdAt!: Date;
}
