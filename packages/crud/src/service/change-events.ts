/** Events of committed changes: `crud.<Model>.<kind>`, if the global option `events` asks for them. */
import { Logger } from '@nestjs/common';
import type { Change } from './change.js';

/** The part of an EventEmitter2 that is used. */
export interface ChangeEmitter {
  /** Calls the listeners of an event. */
  emitAsync(event: string, ...values: unknown[]): Promise<unknown>;
}

/** By service, and by class for request-scoped services. */
const emitters = new WeakMap<object, ChangeEmitter>();

/** Sets the emitter of a service, or of all services of a class. */
export function setEmitter(service: object, emitter: ChangeEmitter): void {
  emitters.set(service, emitter);
}

/** For adapters: the emitter of a service's changes; undefined if events are off. */
export function emitterOf(service: object): ChangeEmitter | undefined {
  return emitters.get(service) ?? emitters.get(service.constructor);
}

/** For adapters: emits committed changes in order. Listeners are not awaited; their errors are logged. */
export function emitChanges(emitter: ChangeEmitter, changes: readonly Change[]): void {
  for (const change of changes) void emit(emitter, `crud.${change.model}.${change.kind}`, change);
}

async function emit(emitter: ChangeEmitter, event: string, change: Change): Promise<void> {
  try {
    await emitter.emitAsync(event, change);
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    new Logger('Crud').error(`A listener of ${event} failed: ${String(error)}`, stack);
  }
}
