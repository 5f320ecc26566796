/** A request at a handler around which no interceptor stands in; the same parsed by the pipe of the handler's request parameter out, and what makes the response of the handler's result. */
import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { ARRIVAL_KEY } from '../constants.js';
import type { CrudRequest } from '../request/crud-request.js';
import { type HttpRequest, httpRequestOf } from './request-context.js';

/** Runs a verb, and makes the response of its result. */
export type Answer = (verb: () => Promise<unknown>) => Promise<unknown>;

/** A request that is parsed, and how it is answered. */
export interface Arrived {
  readonly request: CrudRequest;
  readonly answer: Answer;
}

/** A request that has yet to be parsed: a function, which pipes that rewrite objects leave alone. */
export type Arrival = (parse: (context: ExecutionContext) => Promise<Arrived>) => Promise<CrudRequest>;

const arrival = createParamDecorator((_: unknown, context: ExecutionContext): Arrival => arrivalIn(context));

function arrivalIn(context: ExecutionContext): Arrival {
  const http = httpRequestOf(context);
  let arrive!: (answer: Answer) => void;
  http[ARRIVAL_KEY] = new Promise<Answer>((resolve) => (arrive = resolve));

  return async (parse) => {
    const { request, answer } = await parse(context);
    arrive(answer);

    return request;
  };
}

/** Injects the request that a pipe makes of its {@link Arrival}; the first of the parameters, since the others wait for it. */
export const ArrivingRequest = (pipe: Type<PipeTransform<Arrival, Promise<CrudRequest>>>): ParameterDecorator =>
  arrival(undefined, pipe);

/** Injects the {@link Answer} of a request that arrives. */
export const ArrivingAnswer: () => ParameterDecorator = createParamDecorator((_: unknown, context: ExecutionContext) =>
  arrivalOf(httpRequestOf(context)),
);

/** The promise that a request is parsed, where a pipe does that; it stays open where the request is refused, which is an answer, too. */
export function arrivalOf(http: HttpRequest): Promise<Answer> | undefined {
  return http[ARRIVAL_KEY];
}
