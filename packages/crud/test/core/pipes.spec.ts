/** Pipes of the application before generated bodies: they refuse what they refuse of a handler written by hand; bodies that are no JSON. */
import { expect, test } from '@jest/globals';
import { Body, Controller, Injectable, ParseArrayPipe, Post, Scope, UsePipes, ValidationPipe } from '@nestjs/common';
import type { PipeTransform, Provider, Type } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Override } from '@nestwright/crud';
import { Type as OfType } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type Api, describeApplications, describePlatforms, start, type StartOptions } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { handler, Notes, resource, run } from './resource.js';

class Part {
  @IsString({ always: true }) label!: string;
}

class Item {
  @IsOptional({ always: true }) @IsInt({ always: true }) id?: number;
  @IsString({ always: true }) name!: string;
  @IsOptional({ always: true }) @IsInt({ always: true }) age?: number;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @OfType(() => Part) part?: Part;
}

class Undescribed {
  id?: number;
}

class Store extends memoryOf([{ id: 1, name: 'one' }]) {}

/** An overriding handler that declares the class of its body. */
const declared = Reflect.metadata('design:paramtypes', [Object, Item]);
const overriding = handler('createOne', (store: Store, req, dto) => store.createOne(req, dto), Override(), declared);

/** Where pipes stand: on the controllers, on each route, or as the application is made. */
interface Way extends Partial<StartOptions> {
  above?: (PipeTransform | Type<PipeTransform>)[];
  onRoute?: PipeTransform[];
}

/** Resources whose bodies a model or overriding handlers describe, and handlers written by hand. */
function serve({ above = [], onRoute = [], ...more }: Way): Promise<Api> {
  const route = { decorators: [UsePipes(...onRoute)] };
  const [routes, piped] = [{ createOneBase: route, createManyBase: route }, UsePipes(...above)];
  const generated = [
    resource(Store, { model: { type: Item }, routes }, 'model'),
    resource(Store, { model: { type: Undescribed }, routes }, 'override', overriding),
  ];
  for (const controller of generated) piped(controller);

  @UsePipes(...above)
  @Controller('hand')
  class HandController {
    @UsePipes(...onRoute)
    @Post()
    create(@Body() dto: Item) {
      return dto;
    }
    @Post('plain')
    plain(@Body(new ValidationPipe()) dto: Item) {
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

async function expectAsByHand(api: Api, hand: string): Promise<void> {
  const told = ({ status }: { status: number }) => (status < 300 ? 'stored' : status);
  for (const body of BODIES) {
    const bulk = { bulk: [{ name: 'a' }, body] };
    const sent = [api.post('/model', body), api.post('/model/bulk', bulk), api.post('/override', body)];
    const byHand = told(await api.post(hand, body));
    expect((await Promise.all(sent)).map(told)).toEqual(sent.map(() => byHand));
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

describeApplications('a body', () => {
  test('is refused by a pipe for lists, and not seen by pipes that are bound after the start, as by hand', async () => {
    const listed = await serve({ onRoute: [new ParseArrayPipe({ items: Item })] });
    const late = await serve({});
    late.app.useGlobalPipes(new Strict());
    for (const path of ['/hand', '/model']) {
      await listed.post(path, { name: 'a' }).expect(400);
      await late.post(path, { name: 'a', stranger: 1 }).expect(201);
    }
  });

  test('as text in place of JSON is refused, as nothing is an empty record, as a form a record of texts', async () => {
    const api = await run({}, resource(Notes));
    const text = (test: ReturnType<Api['get']>) => test.set('content-type', 'text/plain').send('{"name":"Bea"}');
    for (const test of [api.patch('/notes/1'), api.post('/notes'), api.post('/notes/bulk'), api.put('/notes/1')])
      expect((await text(test).expect(400)).body).toMatchObject({ statusCode: 400 });
    await api.patch('/notes/1').expect(200);
    expect(api.resolve(Notes).last.dto).toEqual({ id: 1 });
    await api.patch('/notes/1').type('form').send('text=Bea').expect(200);
    expect(api.resolve(Notes).last.dto).toEqual({ id: 1, text: 'Bea' });
  });
});
