/** @CrudAuth() over real HTTP: where it may stand, and what ends a request; what its functions are evaluated to. */
import { beforeEach, expect, test } from '@jest/globals';
import { Controller, type ExecutionContext, ForbiddenException, UseGuards } from '@nestjs/common';
import { type AuthOptions, Crud, CrudAuth } from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { GLOBAL_STATE_KEY } from '../../src/constants.js';
import { evaluateAuth } from '../../src/evaluate-auth.js';
import { describeApplications } from '../support/application.js';
import { expectIds, Note, Notes, OfNotes, resource, run } from './resource.js';
import { failing } from './rules-of.js';

const Identified = UseGuards({
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    http.user = { id: Number(http.headers['x-user'] ?? '1') };
    return true;
  },
});

const own: AuthOptions = { property: 'user', filter: ({ id }: Note) => ({ id }) };

const serve = (auth: AuthOptions, options: object = {}) =>
  run({}, resource(Notes, options, 'notes', Identified, CrudAuth(auth)));

beforeEach(() => void delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY]);

describeApplications('@CrudAuth()', () => {
  test('functions may wait, and may end the request', async () => {
    const waiting = await serve({ ...own, filter: ({ id }: Note) => Promise.resolve({ id }) });
    await expectIds(waiting, { '/notes': [2] }, { 'x-user': '2' });
    const refuse = failing(new ForbiddenException('not you'));
    const refusing = await serve({ filter: refuse });
    const rejecting = await serve({ persist: async () => refuse() });
    for (const request of [refusing.get('/notes'), rejecting.post('/notes', {})])
      expect((await request.expect(403)).body.message).toBe('not you');
  });

  test('stands above @Crud(), below it, or on a base class; the nearest counts', async () => {
    const Above = resource(Notes, {}, 'above', Identified);
    CrudAuth(own)(Above);

    @CrudAuth(own)
    @Identified
    class Base extends OfNotes {}

    @Crud({ model: { type: Note } })
    @Controller('inherited')
    class InheritedController extends Base {}

    @CrudAuth({ property: 'user', filter: () => ({ id: 2 }) })
    @Controller('nearest')
    class NearestController extends InheritedController {}

    const api = await run({}, Above, InheritedController, NearestController);
    await expectIds(api, { '/above': [1], '/inherited': [1], '/nearest': [2] });
    expect(definitionOf(NearestController)?.controller).toBe('NearestController');
  });

  test('without a key, a filter that restricts nothing names no record', async () => {
    const options = { params: { id: { disabled: true } }, routes: { only: ['getOneBase', 'deleteOneBase'] } };
    const api = await serve({ filter: () => ({ $and: [{}, { id: {} }] }) }, options);
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
