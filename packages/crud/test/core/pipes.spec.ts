/** Pipes of the application before generated bodies: they refuse what they refuse of a handler written by hand. */
import { expect, test } from '@jest/globals';
import { ParseArrayPipe, ValidationPipe } from '@nestjs/common';
import { Body, Controller, Injectable, Post, Scope, UsePipes } from '@nestjs/common';
import type { PipeTransform, Provider, Type } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Override } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type Api, describeApplications, describePlatforms, start, type StartOptions } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { handler, resource } from './resource.js';

class Part {
  @IsString({ always: true }) label!: string;
}

class Item {
  @IsOptional({ always: true }) @IsInt({ always: true }) id?: number;
  @IsString({ always: true }) name!: string;
  @IsOptional({ always: true }) @IsInt({ always: true }) age?: number;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @OfType(() => Part) part?: Part;
}

class ItemDto extends Item {}

class Undescribed {
  id?: number;
}

class Items {
  @ValidateNested({ each: true }) @OfType(() => ItemDto) bulk!: ItemDto[];
}

class Store extends memoryOf([{ id: 1, name: 'one' }]) {}

/** Overriding handlers that declare the class of their body. */
const OVERRIDES = (['createOne', 'createMany', 'updateOne', 'replaceOne'] as const).map((verb) => {
  const declared = Reflect.metadata('design:paramtypes', [Object, verb === 'createMany' ? Items : ItemDto]);
  return handler(verb, (store: Store, req, dto) => store[verb](req, dto as never), Override(), declared);
});

/** Where pipes stand: on the controllers, on each route, or as the application is made. */
interface Way extends Partial<StartOptions> {
  above?: (PipeTransform | Type<PipeTransform>)[];
  onRoute?: PipeTransform[];
}

/** Resources whose bodies a model, a DTO or overriding handlers describe, and handlers written by hand. */
function serve({ above = [], onRoute = [], ...more }: Way): Promise<Api> {
  const route = { decorators: [UsePipes(...onRoute)] };
  const routes = { createOneBase: route, createManyBase: route, updateOneBase: route, replaceOneBase: route };
  const options = { model: { type: Undescribed }, routes };
  const piped = UsePipes(...above);
  const dto = { create: ItemDto, update: ItemDto };
  const generated = [
    resource(Store, { model: { type: Item }, routes }, 'model'),
    resource(Store, { ...options, dto }, 'dto'),
    resource(Store, options, 'override', ...OVERRIDES),
  ];
  for (const controller of generated) piped(controller);

  @UsePipes(...above)
  @Controller('hand')
  class HandController {
    @UsePipes(...onRoute)
    @Post()
    create(@Body() dto: ItemDto) {
      return dto;
    }
    @Post('plain')
    plain(@Body(new ValidationPipe()) dto: ItemDto) {
      return dto;
    }
  }
  return start({ controllers: [...generated, HandController], providers: [Store], ...more });
}

const BODIES: readonly object[] = [
  { name: 'a', age: 1, part: { label: 'x' } },
  { name: 'a', stranger: 1 },
  { name: 'a', part: { label: 'x', stranger: 1 } },
  { name: 1 },
];

const WRITES: Record<string, (api: Api, path: string, body: object) => Promise<{ status: number }>> = {
  POST: async (api, path, body) => api.post(path, body),
  bulk: async (api, path, body) => api.post(`${path}/bulk`, { bulk: [{ name: 'a' }, body] }),
  PATCH: async (api, path, body) => api.patch(`${path}/1`, body),
  PUT: async (api, path, body) => api.put(`${path}/1`, body),
};

async function expectAsByHand(api: Api, hand: string): Promise<void> {
  const told = ({ status }: { status: number }) => (status < 300 ? 'stored' : status);
  for (const body of BODIES) {
    const byHand = told(await api.post(hand, body));
    for (const [write, send] of Object.entries(WRITES)) {
      for (const path of ['/model', '/dto', '/override'])
        expect([body, write, path, told(await send(api, path, body))]).toEqual([body, write, path, byHand]);
    }
  }
}

class Strict extends ValidationPipe {
  constructor() {
    super({ whitelist: true, forbidNonWhitelisted: true });
  }
}

@Injectable({ scope: Scope.REQUEST })
class StrictOfRequest extends Strict {}

const global = (...pipes: PipeTransform[]): Way => ({ configure: (app) => app.useGlobalPipes(...pipes) });
const asPipe = (provider: object): Way => ({ providers: [Store, { provide: APP_PIPE, ...provider } as Provider] });

const WAYS: Record<string, Way> = {
  useGlobalPipes: global(new Strict()),
  'APP_PIPE as class': asPipe({ useClass: Strict }),
  'APP_PIPE of the request': asPipe({ useClass: StrictOfRequest }),
  '@UsePipes on the controller': { above: [new Strict()] },
  '@UsePipes with a class': { above: [Strict] },
  '@UsePipes with a class of the request': { above: [StrictOfRequest] },
  '@UsePipes on the route': { onRoute: [new Strict()] },
};

describePlatforms('bodies are refused as those of a handler written by hand', (platform) => {
  // What differs by platform is how a request is told from the next.
  const ways = Object.entries(WAYS).filter(([name]) => platform === 'express' || name.endsWith('of the request'));
  test.each(ways)('by %s', async (_, way) => expectAsByHand(await serve({ platform, ...way }), '/hand'));
  test('by no pipe', async () => expectAsByHand(await serve({ platform }), '/hand/plain'));
});

describeApplications('a body behind pipes', () => {
  test('is refused by a pipe for lists, and not seen by pipes that are bound after the start, as by hand', async () => {
    const listed = await serve({ onRoute: [new ParseArrayPipe({ items: ItemDto })] });
    const late = await serve({});
    late.app.useGlobalPipes(new Strict());
    for (const path of ['/hand', '/model']) {
      await listed.post(path, { name: 'a' }).expect(400);
      await late.post(path, { name: 'a', stranger: 1 }).expect(201);
    }
  });
});
