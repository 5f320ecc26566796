/** A route that is served on a second path, for clients and proxies that cannot send the first. */
import { HttpCode, RequestMapping, type Type } from '@nestjs/common';
import { GENERATED_METADATA, OVERRIDE_METHOD_METADATA, PARSED_BODY_METADATA } from '../constants.js';
import { aliasMethod } from '../nest/metadata.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';

/** The method that handles the second path of a route, by the name of the one that handles the first. */
export function secondMethod(handler: string): string {
  return `${handler}Also`;
}

/** Adds a method for the second path of a route, with all metadata of its handler. Returns the method's name. */
export function addSecondPath(target: Type<object>, route: BaseRouteName, handler: string): string | undefined {
  const { also, status } = ROUTES[route];
  if (!also) return undefined;

  const name = secondMethod(handler);
  const made = aliasMethod(target, handler, name);
  Reflect.deleteMetadata(OVERRIDE_METHOD_METADATA, made);
  Reflect.deleteMetadata(PARSED_BODY_METADATA, target.prototype as object, name);
  Reflect.defineMetadata(GENERATED_METADATA, true, made);

  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name) as PropertyDescriptor;
  const decorate = (decorator: MethodDecorator) => decorator(target.prototype as object, name, descriptor);
  decorate(RequestMapping({ path: also.suffix, method: also.method }));
  if (!Reflect.hasMetadata(metadataKey('httpCode'), made)) decorate(HttpCode(status));

  return name;
}
