/** Entities as an application has them, for the tests of types, here and in `crud`. */

/** The wrapper that ORMs use against circular imports of entities. */
export type Relation<T> = T;
export class Name {
  first!: string | null;
  last!: string | null;
}

export class Company {
  id!: number;
  name!: string;
  createdAt!: Date;
  users?: User[];
  projects!: Project[];
}

export class Project {
  id!: number;
  name!: string;
  budget!: number | null;
  startsOn!: Date;
  company?: Relation<Company>;
}

export class User {
  id!: number;
  email!: string;
  name!: Name;
  age?: number | null;
  isActive!: boolean;
  role!: 'admin' | 'member';
  birthDate!: Date | null;
  tags!: string[];
  settings!: Record<string, unknown>;
  avatar!: Uint8Array;
  notes!: unknown;
  // Columns of JSON are `any` in many an application.
  extra!: any;
  companyId!: number;
  company?: Relation<Company> | null;
  projects?: Promise<Project[]>;
  manager?: User;
  profile!: Promise<{ id: number; city: string }>;
  greet(): string {
    return this.email;
  }
}
