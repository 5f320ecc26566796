/** Events of committed changes: `crud.<Model>.<kind>`, where the global option `events` asks for them. */
import { Logger } from '@nestjs/common';
import type { Change } from './change.js';

/** What of an EventEmitter2 is used. */
export interface ChangeEmitter {
  /** Calls the listeners of an event. */
  emitAsync(event: string, ...values: unknown[]): Promise<unknown>;
}

/** By service, and by class for services that are made for each request. */
const emitters = new WeakMap<object, ChangeEmitter>();

/** Notes by what the changes of a service, or of all of a class, are told. */
export function noteEmitter(service: object, emitter: ChangeEmitter): void {
  emitters.set(service, emitter);
}

/** For adapters: by what the changes of a service are told; undefined where nobody asked for events. */
export function emitterOf(service: object): ChangeEmitter | undefined {
  return emitters.get(service) ?? emitters.get(service.constructor);
}

/** For adapters: tells committed changes in their order. Listeners are not waited for; what one throws is logged. */
export function emitChanges(emitter: ChangeEmitter, changes: readonly Change[]): void {
  for (const change of changes) {
    void emit(emitter, `crud.${change.model}.${change.kind}`, change);
  }
}

async function emit(emitter: ChangeEmitter, event: string, change: Change): Promise<void> {
  try {
    await emitter.emitAsync(event, change);
  } catch (error) {
    const { stack } = error as Partial<Error>;
    new Logger('Crud').error(`A listener of ${event} failed: ${String(error)}`, stack);
  }
}
