/** Pipes of the application before generated bodies: which bodies they refuse, held against a handler written by hand for the same class in the same application; then what becomes of the bodies that pass. */
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type ArgumentMetadata,
  BadRequestException,
  Controller,
  ParseArrayPipe,
  type PipeTransform,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Crud, CrudValidationGroups } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { describePlatforms, start, type StartOptions, stopAll } from '../support/application.js';
import {
  BODIES,
  global,
  Item,
  ItemDto,
  OPTIONS,
  Part,
  refusals,
  serve,
  Store,
  stored,
  STRICT,
  strict,
  StrictOfRequest,
  Task,
  Tasks,
  Trimming,
  WAYS,
} from './pipes.application.js';

describePlatforms('bodies are refused as those of a handler written by hand', (platform) => {
  // What differs by platform is how a request is told from the next.
  const ways = Object.entries(WAYS).filter(
    ([name]) => platform === 'express' || / (of the request|transform)$/.test(name),
  );
  test.each(ways)('by %s', async (_, way) => refusals(await serve(platform, way()), '/hand'));
  test('by no pipe', async () => refusals(await serve(platform, {}), '/hand/plain'));
});

describe('bodies are refused as those of a handler written by hand, with', () => {
  afterEach(stopAll);

  test.each(OPTIONS)('%j', async (options) => {
    const api = await serve('express', global(new ValidationPipe(options)));
    for (const [matter, body] of Object.entries(BODIES)) {
      const { status } = await api.post('/hand', body);
      for (const path of ['/model', '/dto', '/override'])
        expect([matter, path, (await api.post(path, body)).status]).toEqual([matter, path, status]);
    }
  });
});

describe('a body behind pipes', () => {
  afterEach(stopAll);

  test('is free of what a whitelist strips, at any depth, in bulk and overriding handlers, too', async () => {
    for (const pipe of [new ValidationPipe({ whitelist: true }), new Trimming({ whitelist: true })]) {
      const api = await serve('express', global(pipe));
      const body = { name: 'a', stranger: 1, part: { label: 'x', stranger: 1 } };
      const clean = { name: 'a', part: { label: 'x' } };

      for (const path of ['/model', '/dto', '/override']) {
        await api.post(path, body).expect(201);
        expect(stored(api)).toEqual(clean);
        await api.post(`${path}/bulk`, { bulk: [body] }).expect(201);
        expect(stored(api)).toEqual({ bulk: [clean] });
        await api.patch(`${path}/1`, body).expect(200);
        expect(stored(api)).toMatchObject(clean);
        expect(stored(api)).not.toHaveProperty('stranger');
      }
    }
  });

  test('keeps what only rules without the group of the route declare, however the whitelist is bound', async () => {
    class Noted {
      id?: number;

      @IsString({ always: true })
      name!: string;

      @MaxLength(3)
      @IsOptional()
      note?: string;

      @IsString({ groups: [CrudValidationGroups.UPDATE] })
      later?: string;
    }

    @Crud({ model: { type: Noted } })
    @Controller('noted')
    class NotedController {
      constructor(public service: Store) {}
    }

    const ways: Partial<StartOptions>[] = [
      global(strict()).more ?? {},
      global(new Trimming(STRICT)).more ?? {},
      { providers: [Store, { provide: APP_PIPE, useClass: StrictOfRequest }] },
    ];
    const body = { name: 'a', note: 'n', later: 'x' };

    for (const way of ways) {
      const api = await start({ controllers: [NotedController], providers: [Store], ...way });
      await api.post('/noted', body).expect(201);
      expect(stored(api)).toEqual(body);
      await api.post('/noted/bulk', { bulk: [body] }).expect(201);
      expect(stored(api)).toEqual({ bulk: [body] });
      for (const wrong of [
        { ...body, stranger: 1 },
        { ...body, note: 'too long' },
      ]) {
        await api.post('/noted', wrong).expect(400);
        await api.post('/noted/bulk', { bulk: [body, wrong] }).expect(400);
      }
    }

    const stripping = await start({
      controllers: [NotedController],
      providers: [Store],
      ...global(new Trimming({ whitelist: true })).more,
    });
    await stripping.post('/noted', { ...body, stranger: 1 }).expect(201);
    expect(stored(stripping)).toEqual(body);

    const exceptionFactory = (): unknown => new BadRequestException('own');
    const speaking = await start({
      controllers: [NotedController],
      providers: [Store],
      ...global(new Trimming({ ...STRICT, exceptionFactory })).more,
    });
    await speaking
      .post('/noted', { ...body, stranger: 1 })
      .expect(400, { statusCode: 400, message: 'own', error: 'Bad Request' });
  });

  test('keeps what the client sent, save for what a pipe itself changes', async () => {
    const convert = { transform: true, transformOptions: { enableImplicitConversion: true } };
    const api = await serve('express', global(new Trimming(convert)));

    await api.patch('/model/1', { name: ' a ' }).expect(200);
    expect(stored(api)).toEqual({ id: 1, name: 'a' });
    await api.post('/model/bulk', { bulk: [{ name: ' b ' }, { name: 'c' }] }).expect(201);
    expect(stored(api)).toEqual({ bulk: [{ name: 'b' }, { name: 'c' }] });
  });

  test('is not given what a class initialises by a PATCH, whatever a pipe makes of it', async () => {
    class Ranked {
      id?: number;

      @IsString({ always: true })
      name!: string;

      @IsInt({ always: true })
      rank = 7;
    }
    class Private extends Trimming {
      readonly #suffix = '!';

      override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
        const made = (await super.transform(value, metadata)) as { name?: unknown };

        return metadata.type === 'body' ? Object.assign(made, { name: `${String(made.name)}${this.#suffix}` }) : made;
      }
    }
    class Instance implements PipeTransform {
      transform(value: unknown, { type }: ArgumentMetadata): unknown {
        return type === 'body' ? Object.assign(new Ranked(), value, { name: 'a!' }) : value;
      }
    }

    @Crud({ model: { type: Ranked } })
    @Controller('ranked')
    class RankedController {
      constructor(public service: Store) {}
    }

    const pipes = [new Private({ transform: true }), new Private({ whitelist: true }), new Private(), new Instance()];
    for (const pipe of pipes) {
      const api = await start({ controllers: [RankedController], providers: [Store], ...global(pipe).more });

      await api.patch('/ranked/1', { name: 'a' }).expect(200);
      expect(stored(api)).toEqual({ id: 1, name: 'a!' });
      await api.post('/ranked', { name: 'a' }).expect(201);
      expect(stored(api)).toEqual({ name: 'a!', rank: 7 });
    }
  });

  test('is free of what a pipe with a class of its own strips, and otherwise as sent', async () => {
    class Narrow {
      @IsString()
      name!: string;

      @IsOptional()
      @ValidateNested()
      @OfType(() => Part)
      part?: Part;

      @IsInt()
      rank = 7;
    }
    const body = { name: 'a', age: 5, part: { label: 'x', stranger: 1 } };

    for (const more of [{}, { transform: true }]) {
      const expecting = new ValidationPipe({
        ...more,
        expectedType: Narrow,
        whitelist: true,
        errorHttpStatusCode: 422,
      });
      const api = await serve('express', { bound: { method: [expecting] } });

      for (const path of ['/model', '/dto']) {
        await api.patch(`${path}/1`, body).expect(200);
        expect(stored(api)).toEqual({ id: 1, name: 'a', part: { label: 'x' } });
        await api.post(`${path}/bulk`, { bulk: [body] }).expect(201);
        expect(stored(api)).toEqual({ bulk: [{ name: 'a', part: { label: 'x' } }] });
        const { body: refused } = await api.post(`${path}/bulk`, { bulk: [body, { name: 1 }] }).expect(422);
        expect(refused).toMatchObject({ message: ['bulk.1.name must be a string'], field: 'bulk.1.name' });
      }
    }
  });

  test('is validated by a pipe with a class of its own alone, if validation is off', async () => {
    class Narrow {
      @IsString()
      name!: string;
    }
    @Crud({ model: { type: Item }, validation: false })
    @Controller('items')
    class ItemsController {
      constructor(public service: Store) {}
    }
    const pipe = new ValidationPipe({ expectedType: Narrow, errorHttpStatusCode: 422 });
    const api = await start({ controllers: [ItemsController], providers: [Store], ...global(pipe).more });

    await api.post('/items', { name: 'longer', age: 'old' }).expect(201);
    expect(stored(api)).toEqual({ name: 'longer', age: 'old' });
    const { body } = await api.post('/items', { name: 5 }).expect(422);
    expect(body).toMatchObject({ message: ['name must be a string'], field: 'name', code: 'CRUD_INVALID_BODY' });
  });

  test('has the changes of a pipe that overrides `transform`, also of an instance or with a class of its own', async () => {
    class Narrow {
      @IsString()
      name!: string;
    }
    class Shouting extends ValidationPipe {
      override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
        const made: unknown = await super.transform(value, metadata);

        return made instanceof Item || made instanceof Narrow
          ? Object.assign(made, { name: made.name.toUpperCase(), age: 7 })
          : made;
      }
    }
    const options: ValidationPipeOptions[] = [
      { transform: true },
      { transform: true, whitelist: true },
      { expectedType: Narrow },
      { expectedType: Narrow, transform: true, whitelist: true },
    ];

    for (const each of options) {
      for (const pipe of [new Shouting(each), new Trimming(each)]) {
        const api = await serve('express', { bound: { method: [pipe] } });
        const changed = pipe instanceof Shouting ? { name: 'A', age: 7 } : { name: 'a' };
        const name = pipe instanceof Shouting ? 'a' : ' a ';

        for (const path of ['/model', '/dto']) {
          await api.post(path, { name }).expect(201);
          expect(stored(api)).toEqual(changed);
          await api.patch(`${path}/1`, { name }).expect(200);
          expect(stored(api)).toEqual({ id: 1, ...changed });
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
      const api = await serve('express', { bound: { method: [{ transform }] } });

      for (const path of ['/model', '/dto', '/schema', '/override']) {
        await api.post(path, { name: 'a' }).expect(201);
        expect(stored(api)).toEqual({ name: 'a', age: 5 });
      }
    }
  });

  test('is refused with the code of the library, by record in bulk, unless the application has exceptions of its own', async () => {
    const refused = {
      statusCode: 400,
      error: 'Bad Request',
      message: ['bulk.1.age must be an integer number'],
      code: 'CRUD_INVALID_BODY',
      field: 'bulk.1.age',
    };
    const bulk = [{ name: 'a' }, { name: 'a', age: 'x' }];
    class Silent extends Trimming {}
    const pipes = [new ValidationPipe({ skipNullProperties: true }), new Silent({ stopAtFirstError: true })];

    for (const pipe of pipes) {
      const api = await serve('express', global(pipe));
      await api.post('/dto/bulk', { bulk }).expect(400, refused);
    }

    const exceptionFactory = (): unknown => new BadRequestException('own');
    for (const pipe of [new ValidationPipe({ exceptionFactory }), new Trimming({ exceptionFactory })]) {
      const api = await serve('express', global(pipe));
      await api.post('/dto', { name: 1 }).expect(400, { statusCode: 400, message: 'own', error: 'Bad Request' });
      await api.post('/schema', { name: 1 }).expect(400);
    }
  });

  test('is read by its columns before anything is converted', async () => {
    @Crud({ model: { type: Task } })
    @Controller('tasks')
    class TasksController {
      constructor(public service: Tasks) {}
    }

    const convert = { transform: true, transformOptions: { enableImplicitConversion: true } };
    const api = await start({
      controllers: [TasksController],
      providers: [Tasks],
      configure: (app) => app.useGlobalPipes(new ValidationPipe(convert)),
    });
    const body = { done: 'false', age: '5', day: '2026-02-31' };
    const kept = { done: false, age: 5, day: '2026-02-31' };

    await api.post('/tasks', body).expect(201);
    expect(api.resolve(Tasks).last.dto).toEqual(kept);
    await api.post('/tasks/bulk', { bulk: [body] }).expect(201);
    expect(api.resolve(Tasks).last.dto).toEqual({ bulk: [kept] });
    await api.post('/tasks', { age: 'x' }).expect(400);
  });

  test('is read by what the resource says over the pipes, which guard it also where the resource turns validation off', async () => {
    const pipe = new ValidationPipe({ ...STRICT, errorHttpStatusCode: 422 });
    const free = await serve('express', global(pipe), {
      validation: { whitelist: false, forbidNonWhitelisted: false },
    });
    await free.post('/dto', { name: 'a', stranger: 1 }).expect(201);
    await free.post('/dto', { name: 1 }).expect(422);

    const off = await serve('express', global(pipe), { validation: false });
    await off.post('/dto', { name: 'a', stranger: 1 }).expect(422);
    await off.post('/model', { name: 1 }).expect(422);
    await (await serve('express', {}, { validation: false })).post('/dto', { name: 1 }).expect(201);
  });

  test('is not seen by pipes that are bound after the start, as none of a handler written by hand', async () => {
    const api = await serve('express', {});
    api.app.useGlobalPipes(strict());

    await api.post('/hand', { name: 'a', stranger: 1 }).expect(201);
    await api.post('/model', { name: 'a', stranger: 1 }).expect(201);
  });

  test('is refused by a pipe for lists', async () => {
    const api = await serve('express', { bound: { method: [new ParseArrayPipe({ items: ItemDto })] } });

    expect([(await api.post('/hand', { name: 'a' })).status, (await api.post('/model', { name: 'a' })).status]).toEqual(
      [400, 400],
    );
  });
});
