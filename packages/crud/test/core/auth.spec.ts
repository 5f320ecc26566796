/** @CrudAuth() over real HTTP: conditions, persisted values, groups; where it may stand, and what ends a request. */
import { beforeEach, expect, test } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { type AuthOptions, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { Expose } from 'class-transformer';
import { GLOBAL_STATE_KEY } from '../../src/constants.js';
import { evaluateAuth } from '../../src/evaluate-auth.js';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;

  @Expose({ groups: ['admin'] })
  secret!: string;
}

@Injectable()
class Notes extends MemoryService<Note> {
  constructor() {
    super(
      [
        { id: 1, owner: 1, secret: 'a', text: 'x' },
        { id: 2, owner: 1, secret: 'b', text: 'y' },
        { id: 3, owner: 2, secret: 'c', text: 'x' },
      ],
      undefined,
      (row) => Object.assign(new Note(), row),
    );
  }
}

@Injectable()
class Identify implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const [id, role] = (http.headers['x-user'] ?? '1:reader').split(':');
    http.user = { id: Number(id), role };

    return true;
  }
}

interface Account {
  id: number;
  role: string;
}

const byOwner: AuthOptions = { property: 'user', filter: ({ id }: Account) => ({ owner: id }) };

async function serve(auth: AuthOptions, options: Partial<CrudOptions> = {}) {
  @Crud({ model: { type: Note }, ...options })
  @CrudAuth(auth)
  @UseGuards(Identify)
  @Controller('notes')
  class NotesController {
    constructor(public service: Notes) {}
  }

  return start({ controllers: [NotesController], providers: [Notes] });
}

const ids = (body: { id: number }[]): number[] => body.map(({ id }) => id);

beforeEach(() => {
  delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY];
});

describeApplications('@CrudAuth()', () => {
  test('functions may wait, and may end the request', async () => {
    const waiting = await serve({
      property: 'user',
      filter: async ({ id }: Account) => Promise.resolve({ owner: id }),
    });
    expect(ids((await waiting.get('/notes', { 'x-user': '2:reader' }).expect(200)).body)).toEqual([3]);

    const refusing = await serve({
      filter: () => {
        throw new ForbiddenException('not you');
      },
    });
    expect((await refusing.get('/notes').expect(403)).body.message).toBe('not you');
    const rejecting = await serve({
      persist: () => Promise.reject(new ForbiddenException('not you either')),
    });
    expect((await rejecting.post('/notes', {}).expect(403)).body.message).toBe('not you either');
  });

  test('persist reaches bodies, groups reach responses', async () => {
    const api = await serve({
      property: 'user',
      persist: ({ id }: Account) => ({ owner: id }),
      groups: ({ role }: Account) => [role],
      classTransformOptions: () => ({ exposeUnsetFields: false }),
    });

    expect((await api.post('/notes', { owner: 9, text: 'n' }).expect(201)).body).toEqual({
      id: 4,
      owner: 1,
      text: 'n',
    });
    expect((await api.get('/notes/1').expect(200)).body).toEqual({ id: 1, owner: 1, text: 'x' });
    expect((await api.get('/notes/1', { 'x-user': '1:admin' }).expect(200)).body).toMatchObject({ secret: 'a' });
    expect(api.resolve(Notes).last.request.parsed).toMatchObject({
      authPersist: { owner: 1 },
      classTransformOptions: { groups: ['admin'], exposeUnsetFields: false },
    });
  });

  test.each([undefined, null, false])(
    'a persist function that returns %p leaves authPersist empty',
    async (nothing) => {
      const api = await serve({
        property: 'user',
        persist: ({ role }: Account) => (role === 'admin' ? (nothing as unknown as object) : { owner: 1 }),
      });

      await api.post('/notes', { owner: 2, text: 'n' }).set('x-user', '1:admin').expect(201);
      expect(api.resolve(Notes).last.request.parsed.authPersist).toEqual({});
    },
  );

  test('stands above @Crud(), below it, or on a base class; the nearest counts', async () => {
    @CrudAuth(byOwner)
    @UseGuards(Identify)
    class Base {}

    @CrudAuth(byOwner)
    @Crud({ model: { type: Note } })
    @UseGuards(Identify)
    @Controller('above')
    class AboveController {
      constructor(public service: Notes) {}
    }

    @Crud({ model: { type: Note } })
    @Controller('inherited')
    class InheritedController extends Base {
      constructor(public service: Notes) {
        super();
      }
    }

    @CrudAuth({ property: 'user', filter: () => ({ owner: 2 }) })
    @Controller('nearest')
    class NearestController extends InheritedController {
      constructor(service: Notes) {
        super(service);
      }
    }

    const api = await start({
      controllers: [AboveController, InheritedController, NearestController],
      providers: [Notes],
    });
    expect(ids((await api.get('/above').expect(200)).body)).toEqual([1, 2]);
    expect(ids((await api.get('/inherited').expect(200)).body)).toEqual([1, 2]);
    expect(ids((await api.get('/nearest').expect(200)).body)).toEqual([3]);
    expect(definitionOf(NearestController)?.controller).toBe('NearestController');
  });

  test.each([[{}], [{ $and: [] }], [{ $and: [{}, { owner: {} }] }], [undefined]])(
    'without a key, the filter %j names no record',
    async (filter) => {
      const api = await serve(
        { filter: () => filter },
        { params: { id: { disabled: true } }, routes: { only: ['getOneBase', 'deleteOneBase'] } },
      );

      await api.get('/notes').expect(404);
      await api.delete('/notes').expect(404);
      expect(api.resolve(Notes).calls).toEqual([]);
    },
  );
});

test('evaluateAuth asks all functions and leaves out what says nothing', async () => {
  expect(await evaluateAuth({ property: 'user', filter: () => undefined }, {})).toEqual({
    user: undefined,
    checkWrites: true,
  });
  expect(
    await evaluateAuth(
      { filter: (http: object) => ({ same: http === request }), or: () => ({}), checkWrites: false },
      request,
    ),
  ).toEqual({ filter: { same: true }, or: {}, checkWrites: false });
});

test('evaluateAuth asks for the conditions on relations and for their values at the same time', async () => {
  let asked = 0;
  const both = async (): Promise<object> => {
    asked++;
    await new Promise((resolve) => setImmediate(resolve));

    return { asked };
  };
  const forgotten = (() => undefined) as unknown as () => object;

  expect(
    await evaluateAuth(
      {
        property: 'user',
        relations: {
          assignee: both,
          'project.members': both,
          open: false,
          freed: (user: number) => user !== 1 && {},
          forgotten,
          labels: { filter: both, persist: both },
          tags: { filter: false },
          notes: { persist: () => ({ asked: 0 }) },
        },
      },
      request,
    ),
  ).toEqual({
    user: 1,
    relations: {
      assignee: { asked: 4 },
      'project.members': { asked: 4 },
      open: false,
      freed: false,
      forgotten: undefined,
      labels: { asked: 4 },
      tags: false,
    },
    relationPersist: { labels: { asked: 4 }, notes: { asked: 0 } },
    checkWrites: true,
  });
});

const request = { user: 1 };
