/** Connects services with providers of the application: the event emitter, transaction hosts. */
import type { ModulesContainer } from '@nestjs/core';
import { globalConfig } from '../definition/global-config.js';
import { type ChangeEmitter, setEmitter } from '../service/change.js';
import { isCrudService } from '../service/crud.service.js';
import { registerTransactionHost, type TransactionHost } from '../service/outer-transactions.js';
import { isObject } from '../definition/plain-objects.js';

/** Connects the services of an application; returns what is missing. */
export function connectServices(modules: ModulesContainer): readonly string[] {
  const providers = listProviders(modules);
  for (const { instance } of providers) if (isTransactionHost(instance)) registerTransactionHost(instance);
  if (globalConfig().events !== true) return [];

  const emitter = providers.map(({ instance }) => instance).find(isEmitter);
  if (!emitter) {
    return [
      'events is true, but the application has no EventEmitter2: install @nestjs/event-emitter and put EventEmitterModule.forRoot() into the imports of its root module',
    ];
  }

  for (const { type, instance } of providers) {
    if (type && isCrudService(type)) setEmitter(type, emitter);
    if (isService(instance)) setEmitter(instance, emitter);
  }

  return [];
}

/** The providers of an application, of all modules: their classes, and their instances outside of requests. */
function listProviders(modules: ModulesContainer) {
  return [...modules.values()].flatMap((module) =>
    [...module.providers.values()].map(({ metatype, instance }) => ({
      type: typeof metatype === 'function' ? metatype : undefined,
      instance: isObject(instance) ? instance : undefined,
    })),
  );
}

// Recognized by their methods: the application may have its own copy of either package.
function isEmitter(instance: object | undefined): instance is ChangeEmitter & object {
  return has(instance, ['emitAsync', 'prependAny']);
}

function isTransactionHost(instance: object | undefined): instance is TransactionHost & object {
  return has(instance, ['isTransactionActive', 'withTransaction']);
}

/** Whether an object has some methods. A proxy of the application's may throw for every name outside a request. */
function has(instance: object | undefined, methods: readonly string[]): boolean {
  try {
    return methods.every((name) => typeof (instance as Record<string, unknown> | undefined)?.[name] === 'function');
  } catch {
    return false;
  }
}

function isService(instance: object | undefined): instance is object {
  try {
    return instance !== undefined && isCrudService(instance.constructor);
  } catch {
    return false;
  }
}
