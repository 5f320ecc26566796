/** Pipes of the application before generated bodies: which bodies they refuse, held against a handler written by hand for the same class in the same application; then what becomes of the bodies that pass. */
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type ArgumentMetadata,
  BadRequestException,
  Body,
  Controller,
  Injectable,
  ParseArrayPipe,
  type PipeTransform,
  Post,
  Scope,
  type Type,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import {
  Crud,
  type CrudOptions,
  type CrudRequest,
  CrudValidationGroups,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsBoolean, IsDate, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { catalog, column } from '../plan/catalogs.js';
import {
  type Api,
  describePlatforms,
  type Platform,
  start,
  type StartOptions,
  stopAll,
} from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Part {
  @IsString({ always: true })
  label!: string;
}

class Item {
  @IsOptional({ always: true })
  @IsInt({ always: true })
  id?: number;

  @IsString({ always: true })
  @MaxLength(5, { always: true })
  name!: string;

  @IsOptional({ always: true })
  @IsInt({ always: true })
  age?: number;

  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  @OfType(() => Part)
  part?: Part;
}

class ItemDto extends Item {}
class Undescribed {
  id?: number;
}
class Items {
  @ValidateNested({ each: true })
  @OfType(() => ItemDto)
  bulk!: ItemDto[];
}

const schema = z.object({ name: z.string().max(5), age: z.int().nullish() });

@Injectable()
class Store extends MemoryService {
  constructor() {
    super([{ id: 1, name: 'one' }]);
  }
}

class Task {
  id?: number;

  @IsOptional({ always: true })
  @IsBoolean({ always: true })
  done?: boolean;

  @IsOptional({ always: true })
  @IsInt({ always: true })
  age?: number;

  @IsOptional({ always: true })
  @IsDate({ always: true })
  day?: Date;
}

const tasks = catalog('Task', [
  column('id', 'integer', { primary: true }),
  column('done', 'boolean'),
  column('age', 'integer'),
  column('day', 'date'),
]);
Object.assign(tasks, { target: Task });

@Injectable()
class Tasks extends MemoryService<Task> {
  constructor() {
    super([], tasks);
  }
}

interface Bound {
  /** Pipes of the controllers. */
  readonly controller?: (PipeTransform | Type<PipeTransform>)[];
  /** Pipes of each route. */
  readonly method?: (PipeTransform | Type<PipeTransform>)[];
}

const described = { create: ItemDto, update: ItemDto, replace: ItemDto };
const crudOptions = (options: CrudOptions, { method = [] }: Bound): CrudOptions => {
  const decorators = [UsePipes(...method)];
  const route = { decorators };

  return {
    ...options,
    routes: { createOneBase: route, createManyBase: route, updateOneBase: route, replaceOneBase: route },
  };
};

/** Resources whose bodies a model, a DTO or a schema describes, overriding handlers, and handlers written by hand. */
function controllers(bound: Bound, options: Partial<CrudOptions> = {}): Type<unknown>[] {
  const { controller = [], method = [] } = bound;

  @UsePipes(...controller)
  @Crud(crudOptions({ model: { type: Item }, ...options }, bound))
  @Controller('model')
  class ModelController {
    constructor(public service: Store) {}
  }

  @Crud(crudOptions({ model: { type: Undescribed }, dto: described, ...options }, bound))
  @UsePipes(...controller)
  @Controller('dto')
  class DtoController {
    constructor(public service: Store) {}
  }

  @UsePipes(...controller)
  @Crud(crudOptions({ model: { type: Undescribed }, dto: { create: schema, update: schema } }, bound))
  @Controller('schema')
  class SchemaController {
    constructor(public service: Store) {}
  }

  @UsePipes(...controller)
  @Crud(crudOptions({ model: { type: Undescribed }, ...options }, bound))
  @Controller('override')
  class OverrideController {
    constructor(public service: Store) {}

    @Override()
    createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: ItemDto) {
      return this.service.createOne(req, dto);
    }

    @Override()
    createMany(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Items) {
      return this.service.createMany(req, dto);
    }

    @Override()
    updateOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: ItemDto) {
      return this.service.updateOne(req, dto);
    }

    @Override()
    replaceOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: ItemDto) {
      return this.service.replaceOne(req, dto);
    }
  }

  @UsePipes(...controller)
  @Controller('hand')
  class HandController {
    @UsePipes(...method)
    @Post()
    create(@Body() dto: ItemDto) {
      return dto;
    }

    @Post('plain')
    plain(@Body(new ValidationPipe()) dto: ItemDto) {
      return dto;
    }
  }

  return [ModelController, DtoController, SchemaController, OverrideController, HandController];
}

/** Bodies by what is the matter with them. PATCH of a model asks no rule of what is missing, and is not asked about such. */
const BODIES: Record<string, object> = {
  right: { name: 'a', age: 1, part: { label: 'x' } },
  'unknown property': { name: 'a', stranger: 1 },
  'unknown nested property': { name: 'a', part: { label: 'x', stranger: 1 } },
  'wrong type': { name: 1 },
  'too long': { name: 'too long', age: '1' },
  null: { name: null },
  'null where it may be': { name: 'a', age: null },
  'wrong nested type': { name: 'a', part: { label: 1 } },
};

const WRITES: Record<string, (api: Api, path: string, body: object) => Promise<{ status: number }>> = {
  POST: async (api, path, body) => api.post(path, body),
  bulk: async (api, path, body) => api.post(`${path}/bulk`, { bulk: [{ name: 'a' }, body] }),
  PATCH: async (api, path, body) => api.patch(`${path}/1`, body),
  PUT: async (api, path, body) => api.put(`${path}/1`, body),
};

async function refusals(api: Api, hand: string): Promise<void> {
  for (const [matter, body] of Object.entries(BODIES)) {
    const byHand = (await api.post(hand, body)).status;
    const bySchema = schema.safeParse(body).success ? 'stored' : 400;
    const asHand = byHand < 300 ? 'stored' : byHand;

    for (const [write, send] of Object.entries(WRITES)) {
      for (const [path, expected] of [
        ['/model', asHand],
        ['/dto', asHand],
        ['/override', asHand],
        ['/schema', bySchema],
      ] as const) {
        const { status } = await send(api, path, body);
        expect([matter, write, path, status < 300 ? 'stored' : status]).toEqual([matter, write, path, expected]);
      }
    }
  }
}

/** Trims texts before they are validated, which no option can say. */
class Trimming extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { name } = (metadata.type === 'body' ? value : {}) as { name?: unknown };
    const trimmed = typeof name === 'string' ? { ...(value as object), name: name.trim() } : value;

    return super.transform(trimmed, metadata) as Promise<unknown>;
  }
}

/** As the documentation of Nest teaches to write one. */
class ByHand implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    const records = metatype === Items ? (value as Items).bulk : [value as object];
    const isKnown = metatype === Item || metatype === ItemDto || metatype === Items;
    if (type === 'body' && isKnown && records.some((record) => Object.hasOwn(record, 'stranger')))
      throw new BadRequestException('a stranger');

    return value;
  }
}

@Injectable()
class Strict extends ValidationPipe {
  constructor() {
    super({ whitelist: true, forbidNonWhitelisted: true });
  }
}

@Injectable({ scope: Scope.REQUEST })
class StrictOfRequest extends ValidationPipe {
  constructor() {
    super({ whitelist: true, forbidNonWhitelisted: true });
  }
}

/** A class as another copy of Nest has it. */
class Foreign {
  static of(options: ValidationPipeOptions): PipeTransform {
    const { transform, createExceptionFactory } = ValidationPipe.prototype;
    const prototype = Object.create(
      Object.prototype,
      Object.getOwnPropertyDescriptors(ValidationPipe.prototype),
    ) as object;

    expect(prototype).toMatchObject({ transform, createExceptionFactory });
    return Object.assign(Object.create(prototype) as PipeTransform, new ValidationPipe(options));
  }
}

interface Way {
  readonly bound?: Bound;
  readonly more?: Partial<StartOptions>;
}

const STRICT: ValidationPipeOptions = { whitelist: true, forbidNonWhitelisted: true };
const strict = (): ValidationPipe => new ValidationPipe(STRICT);
const global = (...pipes: PipeTransform[]): Way => ({ more: { configure: (app) => app.useGlobalPipes(...pipes) } });

const WAYS: Record<string, () => Way> = {
  useGlobalPipes: () => global(strict()),
  'APP_PIPE as value': () => ({ more: { providers: [Store, { provide: APP_PIPE, useValue: strict() }] } }),
  'APP_PIPE as class': () => ({ more: { providers: [Store, { provide: APP_PIPE, useClass: Strict }] } }),
  'APP_PIPE of the request': () => ({ more: { providers: [Store, { provide: APP_PIPE, useClass: StrictOfRequest }] } }),
  '@UsePipes on the controller': () => ({ bound: { controller: [strict()] } }),
  '@UsePipes with a class': () => ({ bound: { controller: [Strict] } }),
  '@UsePipes with a class of the request': () => ({ bound: { controller: [StrictOfRequest] } }),
  '@UsePipes on the route': () => ({ bound: { method: [strict()] } }),
  'a subclass with its own transform': () => global(new Trimming(STRICT)),
  'two pipes': () => ({
    ...global(new ValidationPipe({ skipMissingProperties: true })),
    bound: { controller: [strict()] },
  }),
  'a pipe of another copy of Nest': () => global(Foreign.of(STRICT)),
  'a pipe that is no ValidationPipe': () => global(new ByHand(), new ValidationPipe()),
};

const OPTIONS: ValidationPipeOptions[] = [
  {},
  { whitelist: true },
  { forbidUnknownValues: true },
  { skipMissingProperties: true },
  { skipNullProperties: true },
  { skipUndefinedProperties: true },
  { stopAtFirstError: true },
  { dismissDefaultMessages: true },
  { validationError: { target: true } },
  { always: true },
  { strictGroups: true },
  { transform: true },
  { transformOptions: { exposeUnsetFields: false } },
  { errorHttpStatusCode: 422 },
  { disableErrorMessages: true },
];

const serve = (platform: Platform, { bound = {}, more }: Way, options: Partial<CrudOptions> = {}): Promise<Api> =>
  start({ platform, controllers: controllers(bound, options), providers: [Store], ...more });
const stored = (api: Api): unknown => api.resolve(Store).last.dto;

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
