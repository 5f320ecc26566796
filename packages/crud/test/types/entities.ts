/** Entities as an application has them, for the tests of types. */
import type { Relation } from 'typeorm';

export class Name {
  first!: string | null;
  last!: string | null;
}

export class Company {
  id!: number;
  name!: string;
  createdAt!: Date;
  users?: Relation<User>[];
  projects!: Project[];
}

export class Project {
  id!: number;
  name!: string;
  budget!: number | null;
  company?: Relation<Company>;
}

export class User {
  id!: number;
  email!: string;
  name!: Name;
  isActive!: boolean;
  role!: 'admin' | 'member';
  tags!: string[];
  settings!: Record<string, unknown>;
  notes!: unknown;
  // Columns of JSON are `any` in many an application.
  extra!: any;
  companyId!: number;
  company?: Relation<Company> | null;
  projects?: Promise<Project[]>;
  manager?: User;

  greet(): string {
    return this.email;
  }
}
