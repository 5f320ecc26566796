/** Entities as an application has them, for the tests of types. */
export class Company {
  id!: number;
  name!: string;
  users?: User[];
}

export class Name {
  first!: string;
  last!: string | null;
}

export class Project {
  id!: number;
  name!: string;
  budget!: string | null;
  startsOn!: Date;
  company?: Company;
}

export class User {
  id!: number;
  slug!: string;
  email!: string;
  secret!: string;
  name!: Name;
  age?: number | null;
  role!: 'admin' | 'member';
  born!: Date | null;
  tags!: string[];
  settings!: Record<string, unknown>;
  version!: number;
  company?: Company | null;
  projects?: Project[];
  profile!: Promise<{ id: number; city: string }>;
  greet(): string {
    return this.email;
  }
}

export enum State {
  Open = 'open',
  Closed = 'closed',
}

export type Slug = string & { readonly brand: 'slug' };
export class Ticket {
  id!: number;
  slug!: Slug;
  state!: State;
  before!: State | null;
}
