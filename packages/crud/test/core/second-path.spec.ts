/** `POST /bulk/delete` is `DELETE /bulk` by another name: the guards, interceptors, statuses and overrides of the one stand around the other. */
import { expect, test } from '@jest/globals';
import { Controller, type ExecutionContext, Header, HttpCode, Post, type Type, UseGuards } from '@nestjs/common';
import { ApiOperation, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { UseInterceptors } from '@nestjs/common';
import { tap } from 'rxjs';
import type { CrudController, CrudOptions, CrudRequest } from '../../src/index.js';
import { Crud, getAction, getFeature, Feature, Override } from '../../src/index.js';
import { describePlatforms } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { around, handler, resource, run } from './resource.js';

class Item {
  id!: number;
}

const removed: unknown[] = [];

class Items extends MemoryService<Item> {
  override async deleteMany(_: CrudRequest, dto: { bulk: unknown[] }): Promise<void> {
    removed.push(dto.bulk);
  }
}

const seen: string[] = [];

const guarded = UseGuards({
  canActivate(context: ExecutionContext): boolean {
    seen.push(`guard ${getAction(context.getHandler())} ${getFeature(context.getClass())}`);
    return !('x-denied' in context.switchToHttp().getRequest<{ headers: object }>().headers);
  },
});
const Noted = around(tap(() => seen.push('interceptor')));
const decorators = [guarded, HttpCode(202), Header('x-own', 'yes')];
const OPTIONS: CrudOptions<Item> = {
  model: { type: Item },
  params: { id: { field: 'id', type: 'number', primary: true } },
  validation: false,
  routes: { deleteManyBase: { decorators, interceptors: [Noted] } },
};

const Generated = resource(Items, OPTIONS, 'items', Feature('items'));

async function removeAll(this: CrudController<Item>, _: Items, request: CrudRequest, body: { bulk: object[] }) {
  await this.deleteManyBase!(request, body);
  return { removed: body.bulk.length };
}

const own = [ApiOperation({ operationId: 'removeItems' }), UseInterceptors(Noted), ...decorators];
const overriding = handler('removeAll', removeAll as never, Override('deleteManyBase'), ...own);
const options = { ...OPTIONS, routes: { deleteManyBase: true } };
const Overriding = resource(Items, options, 'items', overriding, Feature('items'), guarded);

@Crud(OPTIONS)
@Feature('items')
class Base {
  constructor(readonly service: Items) {}
}

@Controller('items')
class Inheriting extends Base {}
Reflect.defineMetadata('design:paramtypes', [Items], Inheriting);

const JSON_BODY = '{"bulk":[{"id":1}]}';

describePlatforms('a route that is served on a second path', (platform) => {
  const serve = (controller: Type<object>) => run({ platform, providers: [Items] }, controller);

  test.each([
    ['a generated handler', Generated, 1, ''],
    ['an override', Overriding, 2, '{"removed":2}'],
    ['a handler of a base class', Inheriting, 1, ''],
  ] as const)('%s is guarded and answers on both alike', async (_, controller, guards, text) => {
    const api = await serve(controller);
    const bulk = [{ id: 1 }, { id: 2 }];
    const deleting = () => api.delete('/items/bulk').send({ bulk });
    for (const send of [deleting, () => api.post('/items/bulk/delete', { bulk })]) {
      seen.length = removed.length = 0;
      const answer = await send();
      expect([answer.status, answer.headers['x-own'], answer.text]).toEqual([202, 'yes', text]);
      expect(seen).toEqual([...Array<string>(guards).fill('guard Delete-Many items'), 'interceptor']);
      expect((await send().set('x-denied', 'yes')).status).toBe(403);
      expect(removed).toEqual([bulk]);
    }
  });

  test.each([
    [Generated, 'deleteManyBaseItemsControllerItem'],
    [Overriding, 'removeItems'],
  ])('documents show both, each under an id of its own', async (controller, id) => {
    const { app } = await serve(controller);
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const { operationId, responses, ...first } = paths['/items/bulk']!.delete!;
    const second = paths['/items/bulk/delete']!.post!;
    expect([operationId, second.operationId]).toEqual([id, `${id}ByPost`]);
    expect(second).toMatchObject({ ...first, responses });
    expect(first).toMatchObject({ requestBody: { required: true } });
  });

  test('a body that is not JSON, as a form of another origin sends it, is a 415', async () => {
    removed.length = 0;
    const api = await serve(Generated);
    const send = (type: string, body: string) => api.post('/items/bulk/delete').set('Content-Type', type).send(body);
    for (const sent of [send('application/x-www-form-urlencoded', 'bulk[0][id]=1'), send('text/plain', JSON_BODY)])
      expect((await sent).body).toMatchObject({ statusCode: 415, code: 'CRUD_UNSUPPORTED_MEDIA_TYPE' });
    expect(removed).toEqual([]);
    expect((await send('Application/JSON; charset=utf-8', JSON_BODY)).status).toBe(202);
  });

  test.each(['bulk/delete', '/Bulk/Delete/'])('a handler of one’s own on POST %p stops the start', async (path) => {
    const remove = handler('remove', () => undefined, Post(path));
    // Fastify itself refuses a second handler of one spelling, and before the checks of the start.
    await expect(serve(resource(Items, OPTIONS, 'items', remove))).rejects.toThrow(
      /routes has deleteManyBase, which is POST \/bulk\/delete, and so is the method remove|Method 'POST' already declared/,
    );
  });
});
