/** Pipes of the application before generated bodies: which bodies they refuse, held against a handler written by hand for the same class in the same application; then what becomes of the bodies that pass. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { BadRequestException, ParseArrayPipe, ValidationPipe } from '@nestjs/common';
import { type CrudOptions, CrudValidationGroups } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsBoolean, IsDate, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { catalog, column } from '../plan/catalogs.js';
import { describePlatforms, start, type StartOptions, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import {
  BODIES,
  global,
  Item,
  ItemDto,
  OPTIONS,
  Part,
  refusals,
  sent,
  serve,
  Store,
  STRICT,
  strict,
  Trimming,
  WAYS,
} from './pipes.application.js';
import { resource, sentTo } from './resource.js';

/** A resource of one class behind pipes. */
const piped = (type: object, more: Partial<StartOptions> = {}, options: Partial<CrudOptions> = {}) =>
  start({ controllers: [resource(Store, { model: { type }, ...options })], providers: [Store], ...more });

class Narrow {
  @IsString() name!: string;
}

describePlatforms('bodies are refused as those of a handler written by hand', (platform) => {
  // What differs by platform is how a request is told from the next.
  const ways = Object.entries(WAYS).filter(
    ([name]) => platform === 'express' || / (of the request|transform)$/.test(name),
  );
  const on = ({ bound, more }: ReturnType<(typeof WAYS)[string]>) => serve({ bound, more: { platform, ...more } });
  test.each(ways)('by %s', async (_, way) => refusals(await on(way()), '/hand'));
  test('by no pipe', async () => refusals(await on({}), '/hand/plain'));
});

describe('a body behind pipes', () => {
  afterEach(stopAll);

  test.each(OPTIONS)('is refused as that of a handler written by hand, with %j', async (options) => {
    const api = await serve(global(new ValidationPipe(options)));
    for (const [matter, body] of Object.entries(BODIES)) {
      const answers: string[] = [];

      for (const path of ['/hand', '/model', '/dto', '/override']) {
        const { status, body: answer } = await api.post(path, body);
        answers.push(`${status} ${typeof answer.message}`);
      }
      expect([matter, ...answers]).toEqual([matter, ...Array<string>(4).fill(answers[0]!)]);
    }
  });

  test('is free of what a whitelist strips, at any depth, in bulk and overriding handlers, too', async () => {
    for (const pipe of [new ValidationPipe({ whitelist: true }), new Trimming({ whitelist: true })]) {
      const api = await serve(global(pipe));
      const body = { name: 'a', stranger: 1, part: { label: 'x', stranger: 1 } };
      const clean = { name: 'a', part: { label: 'x' } };

      for (const path of ['/model', '/dto', '/override']) {
        expect(await sent(api, api.post(path, body))).toEqual(clean);
        expect(await sent(api, api.post(`${path}/bulk`, { bulk: [body] }))).toEqual({ bulk: [clean] });
        expect(await sent(api, api.patch(`${path}/1`, body))).toMatchObject(clean);
        expect(await sent(api)).not.toHaveProperty('stranger');
      }
    }
  });

  test('keeps what only rules without the group of the route declare, however the whitelist is bound', async () => {
    class Noted {
      id?: number;
      @IsString({ always: true }) name!: string;
      @MaxLength(3) @IsOptional() note?: string;
      @IsString({ groups: [CrudValidationGroups.UPDATE] }) later?: string;
    }

    const trimming = [STRICT, { ...STRICT, transform: true }].map((options) => global(new Trimming(options)));
    const ways = [global(strict()), ...trimming, WAYS['APP_PIPE of the request']!()];
    const body = { name: 'a', note: 'n', later: 5 };

    for (const { more } of ways) {
      const api = await piped(Noted, more);
      expect(await sent(api, api.post('/notes', body))).toEqual(body);
      expect(await sent(api, api.post('/notes/bulk', { bulk: [body] }))).toEqual({ bulk: [body] });
      for (const wrong of [{ stranger: 1 }, { note: 'too long' }]) {
        await api.post('/notes', { ...body, ...wrong }).expect(400);
        await api.post('/notes/bulk', { bulk: [body, { ...body, ...wrong }] }).expect(400);
      }
    }

    const stripping = await piped(Noted, global(new Trimming({ whitelist: true })).more);
    expect(await sent(stripping, stripping.post('/notes', { ...body, stranger: 1 }))).toEqual(body);
  });

  test('keeps what the client sent, save for what a pipe itself changes', async () => {
    const convert = { transform: true, transformOptions: { enableImplicitConversion: true } };
    const api = await serve(global(new Trimming(convert)));
    expect(await sent(api, api.patch('/model/1', { name: ' a ' }))).toEqual({ id: 1, name: 'a' });
    const post = api.post('/model/bulk', { bulk: [{ name: ' b ' }, { name: 'c' }] });
    expect(await sent(api, post)).toEqual({ bulk: [{ name: 'b' }, { name: 'c' }] });
  });

  test('is not given what a class initialises by a PATCH, whatever a pipe makes of it', async () => {
    class Ranked {
      id?: number;
      @IsString({ always: true }) name!: string;
      @IsInt({ always: true }) rank = 7;
    }

    class Private extends Trimming {
      readonly #suffix = '!';

      override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
        const made = (await super.transform(value, metadata)) as { name?: unknown };

        return metadata.type === 'body' ? Object.assign(made, { name: `${String(made.name)}${this.#suffix}` }) : made;
      }
    }

    const instance: PipeTransform = {
      transform: (value: unknown, { type }: ArgumentMetadata) =>
        type === 'body' ? Object.assign(new Ranked(), value, { name: 'a!' }) : value,
    };

    for (const pipe of [new Private({ transform: true }), new Private({ whitelist: true }), new Private(), instance]) {
      const api = await piped(Ranked, global(pipe).more);
      expect(await sent(api, api.patch('/notes/1', { name: 'a' }))).toEqual({ id: 1, name: 'a!' });
      expect(await sent(api, api.post('/notes', { name: 'a' }))).toEqual({ name: 'a!', rank: 7 });
    }
  });

  test('is free of what a pipe with a class of its own strips, and otherwise as sent', async () => {
    class Partly extends Narrow {
      @IsOptional() @ValidateNested() @OfType(() => Part) part?: Part;
      @IsInt() rank = 7;
    }

    const body = { name: 'a', age: 5, part: { label: 'x', stranger: 1 } };

    for (const more of [{}, { transform: true }]) {
      const options = { ...more, expectedType: Partly, whitelist: true, errorHttpStatusCode: 422 };
      const api = await serve({ bound: { method: [new ValidationPipe(options)] } });

      for (const path of ['/model', '/dto']) {
        expect(await sent(api, api.patch(`${path}/1`, body))).toEqual({ id: 1, name: 'a', part: { label: 'x' } });
        const clean = { bulk: [{ name: 'a', part: { label: 'x' } }] };
        expect(await sent(api, api.post(`${path}/bulk`, { bulk: [body] }))).toEqual(clean);
        const { body: refused } = await api.post(`${path}/bulk`, { bulk: [body, { name: 1 }] }).expect(422);
        expect(refused).toMatchObject({ message: ['bulk.1.name must be a string'], field: 'bulk.1.name' });
      }
    }
  });

  test('is validated by a pipe with a class of its own alone, if validation is off', async () => {
    const pipe = new ValidationPipe({ expectedType: Narrow, errorHttpStatusCode: 422 });
    const api = await piped(Item, global(pipe).more, { validation: false });
    const odd = { name: 'longer', age: 'old' };
    expect(await sent(api, api.post('/notes', odd))).toEqual(odd);
    const { body } = await api.post('/notes', { name: 5 }).expect(422);
    expect(body).toMatchObject({ message: ['name must be a string'], field: 'name', code: 'CRUD_INVALID_BODY' });
  });

  test('has the changes of a pipe that overrides `transform`, also of an instance or with a class of its own', async () => {
    class Shouting extends ValidationPipe {
      override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
        const made: unknown = await super.transform(value, metadata);

        return made instanceof Item || made instanceof Narrow
          ? Object.assign(made, { name: made.name.toUpperCase(), age: 7 })
          : made;
      }
    }

    const both = { transform: true, whitelist: true };
    const narrow = { expectedType: Narrow };

    for (const each of [{ transform: true }, both, narrow, { ...narrow, ...both }]) {
      for (const pipe of [new Shouting(each), new Trimming(each)]) {
        const api = await serve({ bound: { method: [pipe] } });
        const changed = pipe instanceof Shouting ? { name: 'A', age: 7 } : { name: 'a' };
        const name = pipe instanceof Shouting ? 'a' : ' a ';

        for (const path of ['/model', '/dto']) {
          expect(await sent(api, api.post(path, { name }))).toEqual(changed);
          expect(await sent(api, api.patch(`${path}/1`, { name }))).toEqual({ id: 1, ...changed });
        }
      }
    }
  });

  test('may come as an instance, frozen, changed in place or with more in it', async () => {
    const ways: ((body: Record<string, unknown>) => unknown)[] = [
      (body) => Object.freeze({ ...body, age: 5 }),
      (body) => Object.assign(new Item(), body, { age: 5 }),
      (body) => Object.assign(body, { age: 5 }),
    ];

    for (const way of ways) {
      const transform = (value: unknown, { type }: ArgumentMetadata): unknown =>
        type === 'body' ? way(value as Record<string, unknown>) : value;
      const api = await serve({ bound: { method: [{ transform }] } });

      for (const path of ['/model', '/dto', '/schema', '/override'])
        expect(await sent(api, api.post(path, { name: 'a' }))).toEqual({ name: 'a', age: 5 });
    }
  });

  test('is refused with the code of the library, by record in bulk, unless the application has exceptions of its own', async () => {
    const field = 'bulk.1.age';
    const message = [`${field} must be an integer number`];
    const refused = { statusCode: 400, error: 'Bad Request', message, code: 'CRUD_INVALID_BODY', field };
    const bulk = [{ name: 'a' }, { name: 'a', age: 'x' }];
    for (const pipe of [new ValidationPipe({ skipNullProperties: true }), new Trimming({ stopAtFirstError: true })])
      await (await serve(global(pipe))).post('/dto/bulk', { bulk }).expect(400, refused);

    const exceptionFactory = (): unknown => new BadRequestException('own');
    for (const pipe of [new ValidationPipe({ exceptionFactory }), new Trimming({ exceptionFactory })]) {
      const api = await serve(global(pipe));
      await api.post('/dto', { name: 1 }).expect(400, { statusCode: 400, message: 'own', error: 'Bad Request' });
      await api.post('/schema', { name: 1 }).expect(400);
    }
  });

  test('is read by its columns before anything is converted', async () => {
    class Task {
      @IsBoolean({ always: true }) done?: boolean;
      @IsInt({ always: true }) age?: number;
      @IsOptional({ always: true }) @IsDate({ always: true }) day?: Date;
    }

    const columns = [column('id', 'integer', { primary: true }), column('done', 'boolean')];
    const tasks = catalog('Task', [...columns, column('age', 'integer'), column('day', 'date')]);

    class Tasks extends MemoryService {
      constructor() {
        super([], Object.assign(tasks, { target: Task }));
      }
    }

    const convert = { transform: true, transformOptions: { enableImplicitConversion: true } };
    const controllers = [resource(Tasks, { model: { type: Task } }, 'tasks')];
    const api = await start({ ...global(new ValidationPipe(convert)).more, controllers, providers: [Tasks] });
    const body = { done: 'false', age: '5', day: '2026-02-31' };
    const kept = { done: false, age: 5, day: '2026-02-31' };
    expect(await sentTo(Tasks, api, api.post('/tasks', body))).toEqual(kept);
    expect(await sentTo(Tasks, api, api.post('/tasks/bulk', { bulk: [body] }))).toEqual({ bulk: [kept] });
    await api.post('/tasks', { ...body, age: 'x' }).expect(400);
  });

  test('is read by what the resource says over the pipes, which guard it also where the resource turns validation off', async () => {
    const pipe = new ValidationPipe({ ...STRICT, errorHttpStatusCode: 422 });
    const validation = { whitelist: false, forbidNonWhitelisted: false };
    const free = await serve(global(pipe), { validation });
    await free.post('/dto', { name: 'a', stranger: 1 }).expect(201);
    await free.post('/dto', { name: 1 }).expect(422);
    const off = await serve(global(pipe), { validation: false });
    await off.post('/dto', { name: 'a', stranger: 1 }).expect(422);
    await off.post('/model', { name: 1 }).expect(422);
    await (await serve({}, { validation: false })).post('/dto', { name: 1 }).expect(201);
  });

  test('is refused by a pipe for lists, and not seen by pipes that are bound after the start, as by hand', async () => {
    const listed = await serve({ bound: { method: [new ParseArrayPipe({ items: ItemDto })] } });
    const late = await serve({});
    late.app.useGlobalPipes(strict());

    for (const path of ['/hand', '/model']) {
      await listed.post(path, { name: 'a' }).expect(400);
      await late.post(path, { name: 'a', stranger: 1 }).expect(201);
    }
  });
});
