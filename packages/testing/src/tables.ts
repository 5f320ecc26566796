/** The tables that an adapter must have for the kit, as it would have those of an application. */

/** A column: its property, and what it stores. */
export interface ColumnText {
  /** Its type, in words. */
  readonly type: string;
  /** Whether it may be null. Default: it may not. */
  readonly nullable?: true;
  /** What it is besides a value. Default: nothing. */
  readonly is?: 'key' | 'counter' | 'unique' | 'created' | 'updated' | 'deleted' | 'version';
  /** Its default, in words. Default: null, if it may be. */
  readonly default?: string;
  /** The table that it refers to. Default: none. */
  readonly refers?: string;
}

/**
 * The tables in words, for whoever writes an adapter: columns, and relations (`one`: to one record, `many`: to several;
 * the column or table in between is named). What refers to a record keeps it from being deleted, unless it says
 * `cascade`.
 */
export const TABLES = {
  teams: {
    columns: {
      id: { type: 'integer', is: 'counter' },
      name: { type: 'text(40)', is: 'unique' },
      budget: { type: 'decimal(12,2)', nullable: true },
      createdAt: { type: 'moment', is: 'created' },
      deletedAt: { type: 'moment', nullable: true, is: 'deleted' },
    },
    relations: { members: 'many members by teamId' },
  },
  passports: {
    columns: { id: { type: 'integer', is: 'counter' }, number: { type: 'text(20)', is: 'unique' } },
    relations: { member: 'one members by passportId' },
  },
  members: {
    columns: {
      id: { type: 'integer', is: 'counter' },
      email: { type: 'text(60)', is: 'unique' },
      'name.first': { type: 'text(40)', nullable: true },
      'name.last': { type: 'text(40)', nullable: true },
      age: { type: 'integer, from 0 to 150 by a check', nullable: true },
      score: { type: 'double', nullable: true },
      points: { type: '64 bits', nullable: true },
      isActive: { type: 'boolean', default: 'true' },
      role: { type: 'one of admin, guest, member', default: 'member' },
      settings: { type: 'JSON', nullable: true },
      bornOn: { type: 'day', nullable: true },
      joinedAt: { type: 'moment', nullable: true },
      secret: { type: 'text(40)', default: 'none' },
      version: { type: 'integer', is: 'version' },
      updatedAt: { type: 'moment', is: 'updated' },
      teamId: { type: 'integer', refers: 'teams' },
      passportId: { type: 'integer', nullable: true, is: 'unique', refers: 'passports' },
    },
    relations: {
      team: 'one teams by teamId',
      passport: 'one passports by passportId; nested bodies insert and update',
      badges: 'many badges through memberBadges',
      notes: 'many notes by memberId; nested bodies insert and update',
    },
  },
  badges: {
    columns: { id: { type: 'integer', is: 'counter' }, label: { type: 'text(20)', is: 'unique' } },
    relations: { members: 'many members through memberBadges' },
  },
  memberBadges: {
    columns: {
      memberId: { type: 'integer', is: 'key', refers: 'members, cascade' },
      badgeId: { type: 'integer', is: 'key', refers: 'badges, cascade' },
    },
    relations: {},
  },
  notes: {
    columns: {
      id: { type: 'integer', is: 'counter' },
      text: { type: 'text(80)' },
      memberId: { type: 'integer', nullable: true, refers: 'members, cascade' },
    },
    relations: { member: 'one members by memberId' },
  },
  seats: {
    columns: {
      teamId: { type: 'integer', is: 'key', refers: 'teams' },
      number: { type: 'integer', is: 'key' },
      label: { type: 'text(20)', nullable: true },
    },
    relations: { team: 'one teams by teamId' },
  },
  devices: {
    columns: { id: { type: 'uuid, made for new records', is: 'key' }, serial: { type: 'text(20)', is: 'unique' } },
    relations: {},
  },
} as const satisfies Record<
  string,
  { readonly columns: Record<string, ColumnText>; readonly relations: Record<string, string> }
>;

/** Names of the tables that have resources. */
export type TableName = Exclude<keyof typeof TABLES, 'memberBadges'>;

/** The names of the tables that have resources. */
export const TABLE_NAMES = Object.keys(TABLES).filter((name) => name !== 'memberBadges') as TableName[];
