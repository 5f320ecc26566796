/** A request around whose handler a subclass of `CrudResponseInterceptor` stands in, whether the library has shaped the response before it sees it out. */
import { SHAPING_KEY } from '../constants.js';
import type { HttpRequest } from './request-context.js';

/** Asks to be told, before the handler runs. */
export function watchShaping(http: HttpRequest): void {
  http[SHAPING_KEY] ??= { isShaped: false };
}

/** Tells whoever asked. */
export function noteShaping(http: HttpRequest): void {
  const watched = http[SHAPING_KEY];

  if (watched) watched.isShaped = true;
}

/** Whether the response of the handler was shaped. */
export function isShapedWithin(http: HttpRequest): boolean {
  return http[SHAPING_KEY]?.isShaped === true;
}
