/** Notes, and resources whose controllers have nothing but a service. */
import { expect } from '@jest/globals';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Controller, type ControllerOptions, Injectable, type Type } from '@nestjs/common';
import type { CrudController, CrudOptions, CrudRequest } from '@nestwright/crud';
import { Crud, ParsedBody, ParsedRequest } from '@nestwright/crud';
import type { Observable } from 'rxjs';
import { type Api, start, type StartOptions } from '../support/application.js';
import { Note, NoteService } from '../support/notes.js';

export { Note } from '../support/notes.js';

const notesOf = (secrets: string, ...texts: string[]) =>
  class extends NoteService {
    constructor() {
      super(texts.map((text, index) => ({ id: index + 1, text, secret: secrets[index] })));
    }
  };

@Injectable()
export class Notes extends notesOf('ab', 'one', 'two') {}

@Injectable()
export class FourNotes extends notesOf('aaab', 'one', 'two', 'one', 'one') {}

/** Starts an application of controllers of these. */
export const run = (options: StartOptions, ...controllers: Type<object>[]): Promise<Api> =>
  start({ controllers, providers: [Notes, FourNotes], ...options });

/** An interceptor that changes what handlers answer. */
export const around = (pipe: (answers: Observable<never>) => Observable<unknown>): Type<NestInterceptor> =>
  class {
    intercept(_: ExecutionContext, next: CallHandler<never>) {
      return pipe(next.handle());
    }
  };

/** A controller that is named by its path: `things` → ThingsController. Decorators stand below `@Crud()`, the last one on top. */
export function resource(
  service: Type<object>,
  options: object = {},
  path: string | ControllerOptions = 'notes',
  ...decorators: ClassDecorator[]
): Type<object> {
  const parts = String(typeof path === 'string' ? path : path.path).split('/');
  const last = parts.findLast((part) => !part.startsWith(':'))!;
  const name = `${last.slice(0, 1).toUpperCase()}${last.slice(1)}Controller`;
  const controller = {
    [name]: class {
      constructor(readonly service: object) {}
    },
  }[name]!;
  Reflect.defineMetadata('design:paramtypes', [service], controller);
  for (const decorate of [Controller(path as string), ...decorators]) decorate(controller);
  Crud({ model: { type: Note }, ...options } as CrudOptions)(controller);
  return controller;
}

/** Gives controllers with handlers of their own the notes. */
export class OfNotes {
  constructor(readonly service: Notes) {}
}
Reflect.defineMetadata('design:paramtypes', [Notes], OfNotes);

type Handle<S> = (this: CrudController<Note>, service: S, req: CrudRequest, dto: object) => unknown;

/** Adds a handler of the application to a {@link resource}, which is given the service, the parsed request, and the body if it takes one. */
export const handler =
  <S = Notes>(name: string, handle: Handle<S>, ...decorators: MethodDecorator[]): ClassDecorator =>
  ({ prototype }: { prototype: object }) => {
    const { [name]: value } = {
      [name](this: never, req: CrudRequest, dto: object) {
        return handle.call(this, (this as { service: S }).service, req, dto);
      },
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
    ParsedRequest()(prototype, name, 0);
    if (handle.length > 2) ParsedBody()(prototype, name, 1);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
    for (const decorate of decorators.toReversed()) decorate(prototype, name, descriptor);
  };

/** What GET answers: the id of a record, those of a list, or status and code of a refusal. */
export async function idsAt(api: Api, path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const { status, body } = await api.get(path, headers);
  if (status !== 200) return [status, body.code].join(' ').trim();
  return Array.isArray(body) ? body.map(({ id }) => id) : body.id;
}

/** Compares what GET answers at each path, as {@link idsAt} tells it. */
export async function expectIds(api: Api, expected: object, headers: Record<string, string> = {}): Promise<void> {
  const found: Record<string, unknown> = {};
  for (const path of Object.keys(expected)) found[path] = await idsAt(api, path, headers);
  expect(found).toEqual(expected);
}
