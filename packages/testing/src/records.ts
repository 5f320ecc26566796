/** The records that each case begins with: ties, nulls and texts of every sort among them. */

/** A member, without keys of others. */
export interface MemberSeed {
  readonly email: string;
  readonly name: { readonly first: string | null; readonly last: string | null };
  readonly age: number | null;
  readonly score: number | null;
  readonly points: string | null;
  readonly isActive: boolean;
  readonly role: 'admin' | 'guest' | 'member';
  readonly settings: unknown;
  readonly bornOn: string | null;
  readonly joinedAt: string | null;
  readonly secret: string;
  /** Names of others: its team, the number of its passport, labels of its badges, texts of its notes. */
  readonly team: string;
  readonly passport: string | null;
  readonly badges: readonly string[];
  readonly notes: readonly string[];
}

export const TEAMS = [
  { name: 'red', budget: '1000.50' },
  { name: 'green', budget: null },
  { name: 'blue', budget: '0.10' },
  { name: 'gone', budget: '7.00' },
] as const;

export const BADGES = ['bronze', 'gold', 'secret', 'silver'] as const;
const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
const FIRST = ['ada', 'bea', null, 'cleo', 'd%e', "e'lo", 'f_x'] as const;
const LAST = ['stone', 'rivers', 'stone', null, 'a,b'] as const;
const SETTINGS = [
  { theme: 'dark', size: 3 },
  null,
  { theme: 'light', size: 20, beta: true },
  { theme: 'dark', beta: false },
] as const;

const MOMENTS = ['2024-01-31T23:59:59.500Z', '2024-02-29T00:00:00.000Z', null, '2023-12-31T23:00:00.250Z'] as const;

/** Widest number of the seeded ones: beyond what a double holds, where the driver keeps it. */
const widest = (rounds: boolean): string => (rounds ? '9007199254740987' : '9007199254740993');

/**
 * Eight members in each of three teams.
 *
 * @param rounds Whether the driver reads 64 bits as doubles.
 */
export const makeMembers = (rounds = false): readonly MemberSeed[] =>
  Array.from({ length: 24 }, (_, at) => ({
    email: `m${String(at + 1).padStart(2, '0')}@example.com`,
    name: { first: turn(FIRST, at), last: turn(LAST, at) },
    age: turn([30, 20, null, 40, 30, 0, 65], at),
    score: turn([0.5, null, -1.25, 3, 0.5], at),
    points: turn([widest(rounds), '5', null, '-12'], at),
    isActive: at % 3 !== 2,
    role: turn(['member', 'guest', 'member', 'admin', 'member'] as const, at),
    settings: turn(SETTINGS, at),
    bornOn: turn(['1990-01-01', null, '2000-02-29', '1969-12-31'], at),
    joinedAt: turn(MOMENTS, at),
    secret: `hidden-${at + 1}`,
    team: turn(['red', 'green', 'blue'], at),
    passport: at % 4 === 0 ? `P-${at + 1}` : null,
    badges: BADGES.filter((__, badge) => (at >> badge) % 2 === 1),
    notes: Array.from({ length: at % 3 }, (__, note) => `note ${note + 1} of ${at + 1}`),
  }));

export const SEATS = [
  { team: 'red', number: 1, label: 'window' },
  { team: 'red', number: 2, label: null },
  { team: 'blue', number: 1, label: 'door' },
] as const;

export const DEVICES = [
  { id: '11111111-1111-4111-8111-111111111111', serial: 'D-1' },
  { id: '22222222-2222-4222-8222-222222222222', serial: 'D-2' },
] as const;
