/** Notes, and resources whose controllers have nothing but a service. */
import { Controller, type ControllerOptions, Injectable, type Type } from '@nestjs/common';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { Note, NoteService } from '../support/notes.js';

export { Note } from '../support/notes.js';

@Injectable()
export class Notes extends NoteService {
  constructor() {
    super([
      { id: 1, text: 'one', secret: 'a' },
      { id: 2, text: 'two', secret: 'b' },
    ]);
  }
}

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
