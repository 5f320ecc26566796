/** Tells a subclass of `CrudResponseInterceptor` whether the library has shaped the response before it sees it. */
import { HTTP_NOTES_KEY } from '../constants.js';
import { type HttpRequest, httpNotesOn } from './request-context.js';

/** Starts watching, before the handler runs. */
export function watchShaping(http: HttpRequest): void {
  httpNotesOn(http).isShaped ??= false;
}

/** Notes that the library has shaped the response, if that is watched. */
export function noteShaping(http: HttpRequest): void {
  const notes = http[HTTP_NOTES_KEY];

  if (notes?.isShaped === false) notes.isShaped = true;
}

/** Whether the response of the handler was shaped. */
export function isShapedWithin(http: HttpRequest): boolean {
  return http[HTTP_NOTES_KEY]?.isShaped === true;
}
