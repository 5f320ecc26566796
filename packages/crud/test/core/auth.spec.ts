/** @CrudAuth() over real HTTP: conditions, persisted values, groups; where it may stand, and what ends a request. */
import { beforeEach, expect, test } from '@jest/globals';
import { Controller, type ExecutionContext, ForbiddenException, UseGuards } from '@nestjs/common';
import { type AuthOptions, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { Expose } from 'class-transformer';
import { GLOBAL_STATE_KEY } from '../../src/constants.js';
import { evaluateAuth } from '../../src/evaluate-auth.js';
import { describeApplications, start } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { expectIds, resource } from './resource.js';

class Note {
  id!: number;
  @Expose({ groups: ['admin'] }) secret!: string;
}

const rows = [1, 1, 2].map((owner, index) => ({ id: index + 1, owner, secret: 'a', text: 'x' }));
class Notes extends memoryOf(rows, undefined, (row) => Object.assign(new Note(), row)) {}

const Identified = UseGuards({
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const [id, role] = (http.headers['x-user'] ?? '1:reader').split(':');
    http.user = { id: Number(id), role };
    return true;
  },
});

type Account = { id: number; role: string };

const byOwner: AuthOptions = { property: 'user', filter: ({ id }: Account) => ({ owner: id }) };

const serve = (auth: AuthOptions, options: Partial<CrudOptions> = {}) =>
  start({
    controllers: [resource(Notes, { model: { type: Note }, ...options }, 'notes', Identified, CrudAuth(auth))],
    providers: [Notes],
  });

beforeEach(() => void delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY]);

describeApplications('@CrudAuth()', () => {
  test('functions may wait, and may end the request', async () => {
    const waiting = await serve({ ...byOwner, filter: ({ id }: Account) => Promise.resolve({ owner: id }) });
    await expectIds(waiting, { '/notes': [3] }, { 'x-user': '2:reader' });

    const refuse = (): never => {
      throw new ForbiddenException('not you');
    };
    const refusing = await serve({ filter: refuse });
    const rejecting = await serve({ persist: async () => refuse() });
    for (const request of [refusing.get('/notes'), rejecting.post('/notes', {})])
      expect((await request.expect(403)).body.message).toBe('not you');
  });

  test('persist reaches bodies, groups and options of class-transformer reach responses', async () => {
    const api = await serve({
      property: 'user',
      persist: ({ id }: Account) => ({ owner: id }),
      groups: ({ role }: Account) => [role],
      classTransformOptions: () => ({ exposeUnsetFields: false }),
    });

    await api.post('/notes', { owner: 9, text: 'n' }).expect(201, { id: 4, owner: 1, text: 'n' });
    await api.get('/notes/1').expect(200, { id: 1, owner: 1, text: 'x' });
    const parsed = {
      authPersist: { owner: 1 },
      classTransformOptions: { groups: ['reader'], exposeUnsetFields: false },
    };
    expect(api.resolve(Notes).last.request.parsed).toMatchObject(parsed);
    expect((await api.get('/notes/1', { 'x-user': '1:admin' }).expect(200)).body).toMatchObject({ secret: 'a' });
  });

  test('stands above @Crud(), below it, or on a base class; the nearest counts', async () => {
    const Above = resource(Notes, { model: { type: Note } }, 'above', Identified);
    CrudAuth(byOwner)(Above);

    @CrudAuth(byOwner)
    @Identified
    class Base {}

    @Crud({ model: { type: Note } })
    @Controller('inherited')
    class InheritedController extends Base {
      constructor(public service: Notes) {
        super();
      }
    }

    @CrudAuth({ property: 'user', filter: () => ({ owner: 2 }) })
    @Controller('nearest')
    class NearestController extends InheritedController {}

    const controllers = [Above, InheritedController, NearestController];
    const api = await start({ controllers, providers: [Notes] });
    await expectIds(api, { '/above': [1, 2], '/inherited': [1, 2], '/nearest': [3] });
    expect(definitionOf(NearestController)?.controller).toBe('NearestController');
  });

  test('without a key, a filter that restricts nothing names no record', async () => {
    const routes = { only: ['getOneBase', 'deleteOneBase'] } as const;
    const params = { id: { disabled: true } };
    const api = await serve({ filter: () => ({ $and: [{}, { owner: {} }] }) }, { params, routes } as never);
    for (const request of [api.get('/notes'), api.delete('/notes')]) await request.expect(404);
    expect(api.resolve(Notes).calls).toEqual([]);
  });
});

const request = { user: 1 };

test('evaluateAuth asks all functions and leaves out what says nothing', async () => {
  const nothing = await evaluateAuth({ property: 'user', filter: () => undefined }, {});
  expect(nothing).toEqual({ user: undefined, checkWrites: true });
  const filter = (http: object) => ({ same: http === request });
  const told = await evaluateAuth({ filter, or: () => ({}), checkWrites: false }, request);
  expect(told).toEqual({ filter: { same: true }, or: {}, checkWrites: false });
  for (const none of [undefined, null, false])
    expect(await evaluateAuth({ persist: () => none as never }, request)).toEqual({ persist: {}, checkWrites: true });
});

test('evaluateAuth asks for the conditions on relations and for their values at the same time', async () => {
  let asked = 0;
  const both = async (): Promise<object> => {
    asked++;
    await new Promise((resolve) => setImmediate(resolve));
    return { asked };
  };
  const relations: AuthOptions['relations'] = {
    'project.members': both,
    labels: { filter: both, persist: both },
    notes: { persist: () => ({ asked: 0 }) },
    open: false,
    freed: (user: number) => user !== 1 && {},
    forgotten: (() => undefined) as unknown as () => object,
    tags: { filter: false },
  };
  const found = { asked: 3 };
  const conditions = { 'project.members': found, labels: found, open: false, freed: false, tags: false };
  expect(await evaluateAuth({ property: 'user', relations }, request)).toEqual({
    user: 1,
    relations: { ...conditions, forgotten: undefined },
    relationPersist: { labels: found, notes: { asked: 0 } },
    checkWrites: true,
  });
});
