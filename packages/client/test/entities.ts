/** Entities as an application has them, for the tests of types. */
import { User as Member } from '../../crud-request/test/typed/entities.js';

export class User extends Member {
  slug!: string;
  secret!: string;
  version!: number;
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
