/** Lists of more than a megabyte: the pieces in which they are printed; over HTTP, status, headers and bytes are those of the same list that the platform sends in one. */
import { type ClientRequest, get, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Catch, type ExceptionFilter, HttpCode, HttpException, type INestApplication } from '@nestjs/common';
import { UseInterceptors } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { Exclude } from 'class-transformer';
import { RESULT } from '../../src/adapter.js';
import { entityTag } from '../../src/conditional/entity-tag.js';
import { JsonList, jsonList, JsonText } from '../../src/response/result.js';
import { around, Note, resource } from '../core/resource.js';
import { type Platform, start, stopAll } from '../support/application.js';
import { NoteService } from '../support/notes.js';

const [LONG, PIECE] = [2 ** 20, 2 ** 16];
const [HALF = '', NEARLY = ''] = [PIECE / 2, PIECE - 1].map((length) => 'é'.repeat(length));

test('a list is long from a mebi of characters on', () => {
  const [short, long] = [LONG - 2, LONG - 1].map((length) => ['é'.repeat(length), '1']) as [string[], string[]];
  expect(jsonList(short)).toEqual(new JsonText(`[${short.join()}]`));
  expect(jsonList(long, '<', '>')).toEqual(new JsonList(long, '<', '>'));
  expect(new JsonList(long, '<', '>').whole()).toEqual(new JsonText(`<${long.join()}>`));
});

test.each<[texts: string[], ...pieces: string[]]>([
  [[HALF, HALF, NEARLY, '1'], `<${HALF},${HALF}`, `,${NEARLY},1>`],
  [[HALF, HALF, '1'], `<${HALF},${HALF}`, ',1>'],
])('pieces end after 64 Ki characters, and let go of the texts: row %#', async (texts, ...expected) => {
  const pieces = await new JsonList(texts, '<', '>').pieces(() => undefined);
  expect(pieces.map(String)).toEqual(expected);
  expect(texts.join('')).toBe('');
});

const NOTES = Array.from({ length: 1000 }, (_, id) =>
  Object.assign(new Note(), { id, text: id % 3 ? `é "${id}" \u2028 😀`.repeat(130) : null, secret: 'x' }),
);
const TEXTS = NOTES.map(({ id, text }) => JSON.stringify({ id, text }));
const [LIST, AROUND] = [`[${TEXTS.join()}]`, { count: 1, next: null, previous: 'p' }];
/** By the text that a client asks for: what a service answers, how that is printed, and whether it is sent in pieces. */
const FORMS: Record<string, [answer: unknown, text: string, inPieces: boolean]> = {
  list: [NOTES, LIST, true],
  page: [{ data: NOTES, total: 1, page: 2 }, `{"data":${LIST},"total":1,"page":2}`, true],
  cursor: [{ data: NOTES, ...AROUND }, `{"data":${LIST},"count":1,"next":null,"previous":"p"}`, true],
  'page in another order': [{ total: 1, data: NOTES }, `{"total":1,"data":${LIST}}`, false],
  'few records': [NOTES.slice(1), `[${TEXTS.slice(1).join()}]`, false],
  'records that print as nothing': [[() => 1, ...NOTES], `[null,${TEXTS.join()}]`, true],
};

/** A client that leaves as soon as its list is asked for, of which each record takes its time. */
let leaving: ClientRequest;
let made = 0;
const SLOW = NOTES.map((note) => ({
  toJSON() {
    made += 1;
    for (const end = performance.now() + 2; performance.now() < end;);
    return note;
  },
}));

class Lists extends NoteService {
  override getMany({ parsed }: CrudRequest) {
    const form = String(parsed.filter[0]?.value ?? 'list');
    if (form === 'slow') leaving.destroy();
    return Promise.resolve((form === 'slow' ? SLOW : FORMS[form]![0]) as Note[]);
  }

  override createMany() {
    return Promise.resolve(NOTES);
  }
}

/** Has the records as texts, too. */
class Texts extends Lists {
  [RESULT](_: string, request: CrudRequest) {
    return this.getMany(request).then((list) => ({ records: () => list, text: () => jsonList([...TEXTS]) }));
  }
}

class Page {
  data: Note[] = [];
  @Exclude() total!: number;
}

const codes: unknown[] = [];

@Catch(HttpException)
class Refusals implements ExceptionFilter {
  catch(exception: HttpException): void {
    codes.push((exception.getResponse() as { code?: string }).code);
  }
}

const CONTROLLERS = [
  resource(Lists),
  resource(Texts, {}, 'texts'),
  resource(Lists, {}, 'watched', UseInterceptors(around((answers) => answers))),
  resource(Lists, { routes: { getManyBase: { decorators: [HttpCode(203)] } } }, 'status'),
  resource(Lists, { query: { etag: true } }, 'tagged'),
  resource(Lists, { serialize: { getMany: Page } }, 'pages'),
];

/** What is used of Express, and of Fastify. */
interface Instance {
  set(setting: string, value: unknown): void;
  addHook(name: string, hook: unknown): void;
  setReplySerializer(serialize: unknown): void;
}

// Both, in every run: each has ways of its own here.
describe.each<Platform>(['express', 'fastify'])('long lists on %s', (platform) => {
  afterEach(stopAll);

  const open = async (prepare?: (instance: Instance, app: INestApplication) => void) => {
    let writes = 0;
    const configure = (app: INestApplication) => {
      prepare?.(app.getHttpAdapter().getInstance() as Instance, app);
      (app.getHttpServer() as Server).prependListener('request', (_, response: ServerResponse) => {
        const write = response.write.bind(response) as (chunk: unknown, ...rest: never[]) => boolean;
        response.write = (chunk: unknown, ...rest: never[]) => ((writes += 1), write(chunk, ...rest));
      });
    };
    const { app } = await start({ platform, controllers: CONTROLLERS, providers: [Lists, Texts], configure });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const answer = async (path: string, init: RequestInit = {}) => {
      writes = 0;
      const response = await fetch(url + path, init);
      const { date: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
      const answered = { status: response.status, headers, text: await response.text() };
      return { answered, inPieces: writes > 1 };
    };

    /** Compares the answers of resources with what one sends whose answers are watched. */
    const expectSame = async (others: string[], path = '', inPieces = true, init: RequestInit = {}) => {
      const watched = await answer(`/watched${path}`, init);
      expect(watched.inPieces).toBe(false);
      for (const other of others) expect(await answer(`/${other}${path}`, init)).toEqual({ ...watched, inPieces });
      return watched.answered;
    };
    return { url, answer, expectSame };
  };

  test('are sent in pieces unless they are short or printed otherwise', async () => {
    const { expectSame, answer } = await open();
    for (const [form, [, text, inPieces]] of Object.entries(FORMS)) {
      const { headers, ...answered } = await expectSame(['notes'], `?filter=text||eq||${form}`, inPieces);
      expect({ form, ...answered }).toEqual({ form, status: 200, text });
      const length = String(Buffer.byteLength(text));
      expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'content-length': length });
    }
    const bulk = { method: 'POST', body: '{"bulk":[{}]}', headers: { 'content-type': 'application/json' } };
    await expectSame(['notes', 'texts'], '/bulk', true, bulk);
    await expectSame(['texts', 'pages']);
    await expectSame(['pages'], '?filter=text||eq||cursor');
    const page = await answer('/pages?filter=text||eq||page');
    expect([page.answered.text, page.inPieces]).toEqual([`{"data":${LIST},"page":2}`, false]);
    const { answered, inPieces } = await answer('/status');
    expect([answered.status, answered.text, inPieces]).toEqual([203, LIST, false]);
  });

  test('are left out of an answer to HEAD, and to a client that has them already', async () => {
    const { expectSame, answer } = await open();
    const { headers } = await expectSame([], '');
    const cached = (etag: string) => ({ headers: { 'cache-control': 'max-age=0', 'if-none-match': etag } });
    const isTagged = platform === 'express';
    const { status } = await expectSame(['notes', 'texts'], '', !isTagged, cached(headers['etag'] ?? '"none"'));
    expect(status).toBe(isTagged ? 304 : 200);
    await expectSame(['notes', 'texts'], '', true, cached('"another"'));
    await expectSame(['notes', 'texts'], '', false, { method: 'HEAD' });

    const [tag, tagged] = [entityTag(LIST, undefined), await answer('/tagged')];
    expect(tagged).toMatchObject({ answered: { status: 200, text: LIST, headers: { etag: tag } }, inPieces: false });
    const { answered } = await answer('/tagged', cached(tag));
    expect(answered).toMatchObject({ status: 304, text: '', headers: { etag: tag } });
    expect(answered.headers).not.toHaveProperty('content-type');
    // Express alone would take it for a list of tags.
    expect((await answer('/tagged', cached(`${tag}, none`))).answered).toMatchObject({ status: 200, text: LIST });
  });

  const noting = (_: unknown, __: unknown, payload: unknown, done: (...sent: unknown[]) => void) => done(null, payload);
  const sending =
    (name: string, value: string) =>
    (_: unknown, response: { header(name: string, value: string): void }, next: () => void) => {
      response.header(name, value);
      next();
    };
  const typed = sending('content-type', 'application/vnd.api+json');

  test.each<[string, prepare: (instance: Instance, app: INestApplication) => void, inPieces: boolean]>(
    platform === 'express'
      ? [
          ['strong tags', (express) => express.set('etag', 'strong'), true],
          ['own tags', (express) => express.set('etag', ({ length }: Buffer) => `"own-${length}"`), false],
          ['spaces', (express) => express.set('json spaces', 1), false],
          ['a given type', (_, app) => app.use(typed), false],
          ['a given tag', (_, app) => app.use(sending('etag', '"given"')), true],
        ]
      : [
          ['a hook that sees what is sent', (fastify) => fastify.addHook('onSend', noting), false],
          ['a serializer', (fastify) => fastify.setReplySerializer(JSON.stringify), false],
          ['a given type', (fastify) => fastify.addHook('onRequest', typed), false],
        ],
  )('are what the application makes of them: %s', async (_, prepare, inPieces) => {
    await (await open(prepare)).expectSame(['notes', 'texts'], '', inPieces);
  });

  test('are not made to their end for a client that has left', async () => {
    const { url } = await open((_, app) => app.useGlobalFilters(new Refusals()));
    for (const path of ['notes', 'watched']) {
      [made, codes.length] = [0, 0];
      leaving = get(`${url}/${path}?filter=text||eq||slow`).on('error', () => undefined);
      for (let tries = 0; tries < 300 && codes.length === 0; tries += 1) await delay(10);
      expect({ path, codes }).toEqual({ path, codes: ['CRUD_CLIENT_CLOSED'] });
      expect(made).toBeLessThan(1000);
    }
  });
});
