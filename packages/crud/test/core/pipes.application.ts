/** Applications whose pipes stand before bodies: generated ones, and those of handlers written by hand. */
import { expect } from '@jest/globals';
import type { ArgumentMetadata, PipeTransform, Provider, Type, ValidationPipeOptions } from '@nestjs/common';
import {
  BadRequestException,
  Body,
  Controller,
  Injectable,
  Post,
  Scope,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { type CrudOptions, Override } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { type Api, start, type StartOptions } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { handler, resource, sentTo } from './resource.js';

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

/** Pipes of the controllers, and of each route. */
type Bound = Partial<Record<'controller' | 'method', (PipeTransform | Type<PipeTransform>)[]>>;

const described = { create: ItemDto, update: ItemDto, replace: ItemDto };
const undescribed = { model: { type: Undescribed } };

/** Overriding handlers that declare the class of their body. */
const OVERRIDES = (['createOne', 'createMany', 'updateOne', 'replaceOne'] as const).map((verb) => {
  const declared = Reflect.metadata('design:paramtypes', [Object, verb === 'createMany' ? Items : ItemDto]);

  return handler(verb, (store: Store, req, dto) => store[verb](req, dto as never), Override(), declared);
});

/** Resources whose bodies a model, a DTO or a schema describes, overriding handlers, and handlers written by hand. */
export function controllers({ controller = [], method = [] }: Bound, options: Partial<CrudOptions>): Type<unknown>[] {
  const route = { decorators: [UsePipes(...method)] };
  const routes = { createOneBase: route, createManyBase: route, updateOneBase: route, replaceOneBase: route };
  const piped = UsePipes(...controller);
  const ModelController = resource(Store, { model: { type: Item }, routes, ...options }, 'model');
  const DtoController = resource(Store, { ...undescribed, dto: described, routes, ...options }, 'dto', piped);
  const bySchema = { ...undescribed, dto: { create: schema, update: schema }, routes };
  const SchemaController = resource(Store, bySchema, 'schema');
  const OverrideController = resource(Store, { ...undescribed, routes, ...options }, 'override', ...OVERRIDES);
  for (const above of [ModelController, SchemaController, OverrideController]) piped(above);

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
  const told = ({ status }: { status: number }) => (status < 300 ? 'stored' : status);
  for (const [matter, body] of Object.entries(BODIES)) {
    const asHand = told(await api.post(hand, body));
    const bySchema = schema.safeParse(body).success ? 'stored' : 400;
    const expected = { '/model': asHand, '/dto': asHand, '/override': asHand, '/schema': bySchema };

    for (const [write, send] of Object.entries(WRITES)) {
      const answers: Record<string, unknown> = {};
      for (const path of Object.keys(expected)) answers[path] = told(await send(api, path, body));
      expect([matter, write, answers]).toEqual([matter, write, expected]);
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

/** A pipe of the class that another copy of Nest has. */
function foreign(options: ValidationPipeOptions): PipeTransform {
  const { transform, createExceptionFactory } = ValidationPipe.prototype;
  const own = Object.getOwnPropertyDescriptors(ValidationPipe.prototype);
  const prototype = Object.create(Object.prototype, own) as object;
  expect(prototype).toMatchObject({ transform, createExceptionFactory });
  return Object.assign(Object.create(prototype) as PipeTransform, new ValidationPipe(options));
}

type Way = { bound?: Bound; more?: Partial<StartOptions> };

export const strict = (): ValidationPipe => new ValidationPipe(STRICT);
export const global = (...pipes: PipeTransform[]): Way => ({
  more: { configure: (app) => app.useGlobalPipes(...pipes) },
});

const asPipe = (provider: object): Way => ({
  more: { providers: [Store, { provide: APP_PIPE, ...provider } as Provider] },
});

export const WAYS: Record<string, () => Way> = {
  useGlobalPipes: () => global(strict()),
  'APP_PIPE as value': () => asPipe({ useValue: strict() }),
  'APP_PIPE as class': () => asPipe({ useClass: Strict }),
  'APP_PIPE of the request': () => asPipe({ useClass: StrictOfRequest }),
  '@UsePipes on the controller': () => ({ bound: { controller: [strict()] } }),
  '@UsePipes with a class': () => ({ bound: { controller: [Strict] } }),
  '@UsePipes with a class of the request': () => ({ bound: { controller: [StrictOfRequest] } }),
  '@UsePipes on the route': () => ({ bound: { method: [strict()] } }),
  'a subclass with its own transform': () => global(new Trimming(STRICT)),
  'two pipes': () => ({
    ...global(new ValidationPipe({ skipMissingProperties: true })),
    bound: { controller: [strict()] },
  }),
  'a pipe of another copy of Nest': () => global(foreign(STRICT)),
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

export const serve = ({ bound = {}, more }: Way, options: Partial<CrudOptions> = {}): Promise<Api> =>
  start({ controllers: controllers(bound, options), providers: [Store], ...more });
export const sent = (api: Api, write?: ReturnType<Api['get']>): Promise<unknown> => sentTo(Store, api, write);
