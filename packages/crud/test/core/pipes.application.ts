/** Applications whose pipes stand before bodies: generated ones, and those of handlers written by hand. */
import { expect } from '@jest/globals';
import {
  type ArgumentMetadata,
  BadRequestException,
  Body,
  Controller,
  Injectable,
  type PipeTransform,
  Post,
  Scope,
  type Type,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Crud, type CrudOptions, type CrudRequest, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { type Api, type Platform, start, type StartOptions } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';

export class Part {
  @IsString({ always: true }) label!: string;
}

export class Item {
  @IsOptional({ always: true }) @IsInt({ always: true }) id?: number;
  @IsString({ always: true }) @MaxLength(5, { always: true }) name!: string;
  @IsOptional({ always: true }) @IsInt({ always: true }) age?: number;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @OfType(() => Part) part?: Part;
}

export class ItemDto extends Item {}
class Undescribed {
  id?: number;
}
class Items {
  @ValidateNested({ each: true }) @OfType(() => ItemDto) bulk!: ItemDto[];
}

export const schema = z.object({ name: z.string().max(5), age: z.int().nullish() });

export class Store extends MemoryService {
  constructor() {
    super([{ id: 1, name: 'one' }]);
  }
}

interface Bound {
  /** Pipes of the controllers. */
  readonly controller?: (PipeTransform | Type<PipeTransform>)[];
  /** Pipes of each route. */
  readonly method?: (PipeTransform | Type<PipeTransform>)[];
}

const described = { create: ItemDto, update: ItemDto, replace: ItemDto };
const undescribed = { model: { type: Undescribed } };

/** Resources whose bodies a model, a DTO or a schema describes, overriding handlers, and handlers written by hand. */
export function controllers({ controller = [], method = [] }: Bound, options: Partial<CrudOptions>): Type<unknown>[] {
  const route = { decorators: [UsePipes(...method)] };
  const routes = { createOneBase: route, createManyBase: route, updateOneBase: route, replaceOneBase: route };
  const piped = UsePipes(...controller);
  const ModelController = resource(Store, { model: { type: Item }, routes, ...options }, 'model');
  const DtoController = resource(Store, { ...undescribed, dto: described, routes, ...options }, 'dto', piped);
  const SchemaController = resource(
    Store,
    { ...undescribed, dto: { create: schema, update: schema }, routes },
    'schema',
  );
  for (const above of [ModelController, SchemaController]) piped(above);

  @UsePipes(...controller)
  @Crud({ ...undescribed, routes, ...options })
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
export const BODIES: Record<string, object> = {
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

export async function refusals(api: Api, hand: string): Promise<void> {
  for (const [matter, body] of Object.entries(BODIES)) {
    const byHand = (await api.post(hand, body)).status;
    const asHand = byHand < 300 ? 'stored' : byHand;
    const bySchema = schema.safeParse(body).success ? 'stored' : 400;
    const answers = { '/model': asHand, '/dto': asHand, '/override': asHand, '/schema': bySchema };

    for (const [write, send] of Object.entries(WRITES)) {
      for (const [path, expected] of Object.entries(answers)) {
        const { status } = await send(api, path, body);
        expect([matter, write, path, status < 300 ? 'stored' : status]).toEqual([matter, write, path, expected]);
      }
    }
  }
}

/** Trims texts before they are validated, which no option can say. */
export class Trimming extends ValidationPipe {
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

export const STRICT: ValidationPipeOptions = { whitelist: true, forbidNonWhitelisted: true };

class Strict extends ValidationPipe {
  constructor() {
    super(STRICT);
  }
}

@Injectable({ scope: Scope.REQUEST })
export class StrictOfRequest extends Strict {}

/** A class as another copy of Nest has it. */
class Foreign {
  static of(options: ValidationPipeOptions): PipeTransform {
    const { transform, createExceptionFactory } = ValidationPipe.prototype;
    const own = Object.getOwnPropertyDescriptors(ValidationPipe.prototype);
    const prototype = Object.create(Object.prototype, own) as object;

    expect(prototype).toMatchObject({ transform, createExceptionFactory });
    return Object.assign(Object.create(prototype) as PipeTransform, new ValidationPipe(options));
  }
}

interface Way {
  readonly bound?: Bound;
  readonly more?: Partial<StartOptions>;
}

export const strict = (): ValidationPipe => new ValidationPipe(STRICT);
export const global = (...pipes: PipeTransform[]): Way => ({
  more: { configure: (app) => app.useGlobalPipes(...pipes) },
});

export const WAYS: Record<string, () => Way> = {
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

const FLAGS = [
  ...['whitelist', 'forbidUnknownValues', 'skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties'],
  ...['stopAtFirstError', 'dismissDefaultMessages', 'always', 'strictGroups', 'transform', 'disableErrorMessages'],
];
export const OPTIONS: ValidationPipeOptions[] = [
  {},
  ...FLAGS.map((flag) => ({ [flag]: true })),
  { validationError: { target: true } },
  { transformOptions: { exposeUnsetFields: false } },
  { errorHttpStatusCode: 422 },
];

export const serve = (
  platform: Platform,
  { bound = {}, more }: Way,
  options: Partial<CrudOptions> = {},
): Promise<Api> => start({ platform, controllers: controllers(bound, options), providers: [Store], ...more });
export const stored = (api: Api): unknown => api.resolve(Store).last.dto;

/** What the service is given by a request that it accepts. */
export async function given(api: Api, write: ReturnType<Api['get']>): Promise<unknown> {
  expect([200, 201]).toContain((await write).status);

  return stored(api);
}
