/** A request to a generated reading route in, a note that its response may be text out, where no one but the client looks at it; an answer that is text goes out as the platform sends JSON. */
import { type ExecutionContext, Logger } from '@nestjs/common';
import type { AbstractHttpAdapter, ApplicationConfig } from '@nestjs/core';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { FAST_PATHS } from '../fast-paths.js';
import { otherPrinter, otherReader } from '../nest/sole-reader.js';
import type { CrudRequest } from '../request/crud-request.js';
import { type JsonText, wantText } from '../response/json-text.js';
import { isGenerated } from '../routes/base-handlers.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { responseShape } from '../serialization/index.js';

/** What an application offers to the decision. */
export interface TextSurroundings {
  readonly adapter: AbstractHttpAdapter | undefined;
  readonly config: ApplicationConfig | undefined;
  /** The library's own interceptors, in their order. */
  readonly own: readonly unknown[];
}

const READS: ReadonlySet<BaseRouteName | undefined> = new Set<BaseRouteName | undefined>(['getManyBase', 'getOneBase']);
const told = new WeakMap<object, Set<string>>();

/** Notes that text will do for a request; otherwise tells, once per route, why not. */
export function offerText(
  context: ExecutionContext,
  request: CrudRequest | undefined,
  definition: ResourceDefinition | undefined,
  route: BaseRouteName | undefined,
  surroundings: TextSurroundings,
): void {
  if (!FAST_PATHS || !request || !definition || !route || !READS.has(route)) return;

  const report = (reason: string) => tell(context.getHandler(), `${definition.controller}.${route}`, reason);
  const { record, envelope } = responseShape(definition, route);
  const reason = reasonOf(context, request, surroundings) ?? (envelope ? 'a class for the envelope' : undefined);

  if (reason !== undefined) report(reason);
  else if (record) wantText(request, record, report);
  else report('serialization is turned off');
}

function reasonOf(
  context: ExecutionContext,
  { parsed }: CrudRequest,
  { adapter, config, own }: TextSurroundings,
): string | undefined {
  if (!adapter || !config) return 'an unknown HTTP platform';
  if (!isGenerated(context.getHandler())) return 'a handler of the application';
  if (Object.values(parsed.classTransformOptions ?? {}).some((value) => value !== undefined))
    return 'options of class-transformer (@CrudAuth)';

  return otherReader(context, config, own) ?? otherPrinter(adapter, context.switchToHttp().getResponse<object>());
}

function tell(handler: object, route: string, reason: string): void {
  const reasons = told.get(handler) ?? new Set();
  if (reasons.has(reason)) return;

  told.set(handler, reasons.add(reason));
  new Logger('Crud').debug(`${route}: answers are made of records, not written as text, because of ${reason}`);
}

/** The text of an answer, under the content type that the platform gives to JSON. */
export function sendText({ text }: JsonText, context: ExecutionContext, adapter: AbstractHttpAdapter): string {
  const response = context.switchToHttp().getResponse<object>();

  // A content type that middleware chose stays, as it does for records.
  if (!adapter.getHeader(response, 'content-type')) {
    adapter.setHeader(response, 'content-type', 'application/json; charset=utf-8');
  }

  return text;
}
