/** The application that the kit asks: resources of the adapter's services, scoped in every way. */
import 'reflect-metadata';
import { equal } from 'node:assert/strict';
import { Controller, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Change, Crud, CrudAuth, type CrudRequest } from '@nestwright/crud';
import type { AnyService, OpenStore } from './adapter-under-test.js';
import { Api, type Json } from './api.js';
import { BADGES, DEVICES, makeMembers, type MemberSeed, SEATS, TEAMS } from './records.js';
import { TABLE_NAMES, type TableName } from './tables.js';

/** What a hook was called with. */
export interface HookCall {
  readonly hook: 'before' | 'after' | 'commit';
  readonly kind: string;
  readonly record: Json;
  readonly before?: Json;
}

/** What hooks do when they are called. Default: nothing. */
export interface HookPlan {
  before?: (change: Change, context: { readonly manager: unknown }) => unknown;
  after?: (change: Change, context: { readonly manager: unknown }) => unknown;
}

export interface Kit {
  readonly api: Api;
  /** Keys of the records that every case begins with, by table and name. */
  readonly ids: Ids;
  /** The members that every case begins with. */
  readonly members: readonly MemberSeed[];
  /** The service of `/hooked`, a resource of members. */
  readonly hooked: AnyService;
  /** What the hooks of that service were called with. */
  readonly calls: HookCall[];
  readonly hooks: HookPlan;
  /** The key of a member, by what its email begins with. */
  idOf(name: string): number;
  /** The path of a member, by what its email begins with. */
  pathOf(name: string): string;
  /** A body that stores a member of the red team. */
  newMember(name: string, more?: object): object;
  /** A request as services get it, without a client. */
  request(): CrudRequest;
}

type Ids = Readonly<Record<'teams' | 'members' | 'badges' | 'passports', Readonly<Record<string, number>>>>;
const VISIBLE = { exclude: ['secret'] } as const;
const BY_CONDITION = { byCondition: true } as const;
const BULKS = { updateManyBase: BY_CONDITION, replaceManyBase: {}, deleteManyBase: BY_CONDITION } as const;

const QUERY = {
  ...VISIBLE,
  cursor: true,
  etag: true,
  export: { formats: ['ndjson', 'csv'] },
  join: { team: {}, passport: {}, badges: {}, notes: {}, 'team.members': VISIBLE },
  aggregate: {
    groupBy: ['role', 'team.name', 'isActive', 'joinedAt'],
    functions: {
      '*': ['count'],
      age: ['sum', 'avg', 'min', 'max', 'count'],
      score: ['sum', 'avg'],
      points: ['sum', 'avg', 'max'],
      email: ['countDistinct'],
    },
  },
} as const;

interface User {
  readonly teamId: number;
}

const BY_PATH = {
  teamId: { field: 'teamId', type: 'number' },
  id: { field: 'id', type: 'number', primary: true },
} as const;

const ofTeam = ({ teamId }: User) => ({ teamId });
const BY_TEAM = {
  property: 'user',
  filter: ofTeam,
  persist: ofTeam,
  relations: {
    team: ({ teamId }: User) => ({ id: teamId }),
    badges: () => ({ label: { $ne: 'secret' } }),
    'team.members': false,
    passport: () => ({ number: { $notin: ['P-13', 'P-17', 'withdrawn'] } }),
    notes: false,
  },
} as const;

const OF_TEAMS = {
  query: { softDelete: true, join: { members: VISIBLE }, export: { formats: ['ndjson'] }, cursor: true },
  routes: { recoverManyBase: {}, deleteManyBase: {} },
};

/** Options of the resources that seed the database, and look into it. */
const ADMIN = {
  members: { query: { join: { badges: {}, notes: {}, passport: {} } } },
  seats: { params: { teamId: { ...BY_PATH.teamId, primary: true }, number: { ...BY_PATH.id, field: 'number' } } },
  devices: { params: { id: { field: 'id', type: 'uuid', primary: true } } },
};

export async function startKit(store: OpenStore, rounds = false) {
  const seeds = makeMembers(rounds);
  const calls: HookCall[] = [];
  const hooks: HookPlan = {};
  const hooked = makeHooked(store, calls, hooks);
  const modelOf = (name: TableName) => ({ model: { type: store.resources[name].model as object } });
  const plain = (name: TableName) => new store.resources[name].service();
  const routes = { ...BULKS, countBase: true, aggregateBase: true };
  const memberOptions = { ...modelOf('members'), query: QUERY, routes };
  const onConflict = ['email'];
  const upsertOptions = { ...memberOptions, routes: { createOneBase: { onConflict }, createManyBase: { onConflict } } };
  const controllers = [
    ...TABLE_NAMES.map((name) =>
      resource(
        `admin/${name}`,
        { ...modelOf(name), ...(ADMIN as Partial<Record<TableName, object>>)[name] },
        plain(name),
      ),
    ),
    resource('teams', { ...modelOf('teams'), ...OF_TEAMS }, plain('teams')),
    resource('members', memberOptions, plain('members')),
    resource('teams/:teamId/members', { ...memberOptions, params: BY_PATH }, plain('members')),
    resource('mine', memberOptions, plain('members'), BY_TEAM),
    resource('hooked', memberOptions, hooked),
    resource('upserts', upsertOptions, hooked),
    resource('bearers', { ...upsertOptions, routes: { createOneBase: { onConflict: ['passportId'] } } }, hooked),
    resource('my-upserts', upsertOptions, plain('members'), BY_TEAM),
    resource('teams/:teamId/upserts', { ...upsertOptions, params: BY_PATH }, plain('members')),
    resource('passports', { ...modelOf('passports'), query: { join: { member: {} } } }, plain('passports')),
    resource('seats', { ...modelOf('seats'), ...ADMIN.seats, query: { join: { team: {} } } }, plain('seats')),
    resource('devices', { ...modelOf('devices'), ...ADMIN.devices }, plain('devices')),
  ];

  class KitModule {}
  Module({ controllers })(KitModule);
  const app: INestApplication = await NestFactory.create(KitModule, { logger: false, abortOnError: false });
  // Stands in for authentication.
  app.use((request: { headers: Record<string, string>; user?: User }, _: unknown, next: () => void) => {
    request.user = { teamId: Number(request.headers['x-team']) };
    next();
  });
  await app.listen(0, '127.0.0.1');
  const api = new Api((await app.getUrl()).replace('[::1]', '127.0.0.1'));
  const ids: Record<string, Record<string, number>> = { teams: {}, members: {}, badges: {}, passports: {} };
  const idOf = (name: string): number => ids['members']![`${name}@example.com`]!;
  const kit: Kit = {
    api,
    members: seeds,
    ids: ids as Ids,
    hooked,
    calls,
    hooks,
    idOf,
    pathOf: (name) => `/members/${idOf(name)}`,
    newMember: (name, more) => ({ email: `${name}@example.com`, teamId: ids['teams']!['red'], ...more }),
    request: () => ({ parsed: {}, options: {} }) as unknown as CrudRequest,
  };
  return {
    kit,
    reset: async () => {
      delete hooks.before;
      delete hooks.after;
      await store.clear();
      await seed(kit, ids);
      calls.length = 0;
      api.hasWritten = false;
    },
    close: async () => {
      await app.close();
      await store.close();
    },
  };
}

function resource(path: string, options: object, service: AnyService, auth?: object): Type<object> {
  class KitController {
    readonly service = service;
  }
  Object.defineProperty(KitController, 'name', { value: `${path.replace(/[/:]/g, '_')}Controller` });
  Crud(options as never)(KitController as never);
  if (auth) CrudAuth(auth)(KitController);
  Controller(path)(KitController);
  return KitController;
}

/** A service of members whose hooks are noted, and do what the case says. */
function makeHooked({ resources }: OpenStore, calls: HookCall[], hooks: HookPlan): AnyService {
  class Hooked extends (resources.members.service as new () => object) {
    readonly needsBefore = true;
    async beforeChange(change: Change, context: { readonly manager: unknown }): Promise<void> {
      note('before', change);
      await hooks.before?.(change, context);
    }

    async afterChange(change: Change, context: { readonly manager: unknown }): Promise<void> {
      note('after', change);
      await hooks.after?.(change, context);
    }

    afterCommit(changes: readonly Change[]): Promise<void> {
      for (const change of changes) note('commit', change);
      return Promise.resolve();
    }
  }

  const note = (hook: HookCall['hook'], { kind, record, before }: Change) => {
    calls.push({ hook, kind, ...structuredClone({ record: { ...record }, ...(before && { before: { ...before } }) }) });
  };
  return new Hooked() as unknown as AnyService;
}

/** Stores the records that each case begins with; asserts that all are stored. */
async function seed({ api, members: seeds }: Kit, ids: Record<string, Record<string, number>>): Promise<void> {
  const store = async (table: TableName, bulk: readonly object[], name = 'id'): Promise<void> => {
    const { status, body, text } = await api.post(`/admin/${table}/bulk`, { bulk });
    equal(status, 201, `${table} could not be stored: ${text.slice(0, 300)}`);
    ids[table] = Object.fromEntries((body as Record<string, Json>[]).map((record) => [record[name], record['id']]));
  };
  const idOf = (table: TableName, name: string) => ids[table]![name];
  const numbers = seeds.flatMap(({ passport: number }) => (number === null ? [] : [{ number }]));
  await store('teams', TEAMS, 'name');
  await store('passports', numbers, 'number');
  const badges = BADGES.map((label) => ({ label }));
  await store('badges', badges, 'label');
  const members = seeds.map(({ team, passport, badges: labels, notes: _, ...member }) => ({
    ...member,
    teamId: idOf('teams', team),
    passportId: passport === null ? null : idOf('passports', passport),
    badges: labels.map((label) => ({ id: idOf('badges', label) })),
  }));
  await store('members', members, 'email');
  const notesOf = ({ email, notes }: MemberSeed) => notes.map((text) => ({ text, memberId: idOf('members', email) }));
  await store('notes', seeds.flatMap(notesOf));
  const seats = SEATS.map(({ team, ...seat }) => ({ ...seat, teamId: idOf('teams', team) }));
  await store('seats', seats);
  await store('devices', DEVICES);
  const { status, text } = await api.delete(`/teams/${ids['teams']!['gone']}`);
  equal(status, 200, `A team could not be soft-deleted: ${text}`);
}

/** Asserts a promise. */
export type Case = (kit: Kit) => Promise<void>;

/** Cases of one kind, by the promises. */
export interface Suite {
  readonly title: string;
  readonly cases: Readonly<Record<string, Case>>;
}

export const suite = (title: string, cases: Suite['cases']): Suite => ({ title, cases });
