/**
 * A request from Nest's context to the answer, by two drivers; `controller/handlers.ts` settles which one a route
 * takes.
 */
import type { CallHandler } from '@nestjs/common';
import { catchError, concatMap, from, type Observable, of, tap, throwError } from 'rxjs';
import type { CrudRequest } from '../crud-request.js';
import { isTracing } from '../diagnostics.js';
import type { CrudService } from '../service/crud.service.js';
import type { RequestHooks } from '../request/request-steps.js';
import { runVerb } from '../service/run-verb.js';
import { isPromise, whenSettled } from '../when-settled.js';
import type { Exchange } from './exchange.js';
import { makeAnswer } from './make-answer.js';
import { readBody } from './read-body.js';
import { readRequest } from './read-request.js';
import { send, toHttpException } from './send.js';
import { beginTrace, describeRefusal, traceWork } from './trace-request.js';

/**
 * The whole of a request to a generated handler, if no interceptor of the application stands around it: Nest's work for
 * an intercepted request costs more than parsing it.
 */
export async function handleRequest(exchange: Exchange, service: CrudService<object>): Promise<unknown> {
  try {
    const request = await readRequest(exchange); // parse, authorize, merge the scope
    const body = exchange.rules && (await readBody(exchange, exchange.rules, request)); // scope, pipes, validation

    const trace = isTracing() ? beginTrace(exchange) : undefined;
    const work = async (): Promise<unknown> => {
      const result = await runVerb(service, exchange.route.name!, request, body);

      return send(await makeAnswer(exchange, result), exchange); // shape; status, headers, tag, body
    };

    return await (trace ? traceWork(trace, work, exchange) : work());
  } catch (error) {
    throw toHttpException(error, exchange);
  }
}

/** What differs between the library's interceptors. */
export interface Interception {
  /** Steps of reading the request that a subclass overrides. Default: the library's own. */
  readonly hooks?: RequestHooks | undefined;
  /** Prepares the parsed request for those that read it. */
  readonly prepare: (request: CrudRequest) => unknown;
  /** What to send of a value that the handler returned. Default: the value. */
  readonly answer?: (value: unknown) => unknown;
}

/**
 * The first half, before a handler and the interceptors within; synchronous if no function of the options is
 * asynchronous.
 */
export function interceptRequest(
  exchange: Exchange,
  next: CallHandler,
  interception: Interception,
): Observable<unknown> {
  const refuse = (error: unknown): unknown => toHttpException(error, exchange);
  let reading: CrudRequest | Promise<CrudRequest>;
  try {
    reading = whenSettled(readRequest(exchange, interception.hooks), (request) => {
      interception.prepare(request);

      return request;
    });
  } catch (error) {
    throw refuse(error);
  }
  // An override of `intercept` may ignore the result.
  if (isPromise(reading)) reading.catch(() => undefined);

  return (isPromise(reading) ? from(reading) : of(reading)).pipe(
    concatMap(() => {
      const trace = isTracing() ? beginTrace(exchange) : undefined;
      const values = trace ? trace.run(() => next.handle()) : next.handle();

      return (interception.answer ? answerEach(values, interception.answer) : values).pipe(
        tap({ complete: () => trace?.end(), error: (error) => trace?.end(describeRefusal(refuse(error))) }),
      );
    }),
    catchError((error: unknown) => throwError(() => refuse(error))),
  );
}

/** The second half, after the handler: what interceptors within emit is shaped and sent as what a verb returns. */
export async function answerValue(
  exchange: Exchange,
  value: unknown,
  shape?: (value: unknown) => unknown,
): Promise<unknown> {
  return send(await makeAnswer(exchange, { records: () => value }, shape), exchange);
}

/** Answers each value that is emitted, in order; a promise is awaited, as Nest does. */
export function answerEach(values: Observable<unknown>, answer: (value: unknown) => unknown): Observable<unknown> {
  return values.pipe(
    tap((value) => {
      // It may reject before its turn.
      if (isPromise(value)) value.then(undefined, () => undefined);
    }),
    concatMap((value) => {
      const answered = whenSettled(value, answer);

      return isPromise(answered) ? from(answered) : of(answered);
    }),
  );
}
