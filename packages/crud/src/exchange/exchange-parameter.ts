/**
 * Parameters of handlers that need more than Nest gives a decorator: the application. Each is first a function, so that
 * pipes of the application, which Nest runs on it too, leave it alone; a pipe of the library calls it.
 */
import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { BodyRules } from '../validation/body-rules.js';
import { type Application, ApplicationPart } from './application.js';
import { Exchange } from './exchange.js';
import { readBody } from './read-body.js';

type Unread = (application: Application) => Exchange;

/** What a parameter is given. */
interface Parameter {
  /** Whether it is the body; else it is the exchange itself. */
  readonly isBody: boolean;
  /** What messages call it. */
  readonly label: string;
  /** The rules of the handler's body. Default: it reads none. */
  readonly rules?: BodyRules | undefined;
}

@Injectable()
class ParameterPipe extends ApplicationPart implements PipeTransform<Unread> {
  transform(unread: Unread, { data }: { readonly data?: unknown }): unknown {
    const { isBody, rules, label } = data as Parameter;
    if (typeof unread === 'function') {
      const exchange = unread(this.application);

      return isBody ? readBody(exchange, rules!) : exchange;
    }

    throw new Error(
      `A pipe of the application has replaced ${label} before it was read: a pipe must return parameters of type "custom" that it does not know as they are`,
    );
  }
}

// One for all: by the identity of its decorator, Nest tells whether a parameter replaces an inherited one.
const decorate = createParamDecorator(
  ({ rules }: Parameter, context: ExecutionContext): Unread =>
    (application) =>
      new Exchange(context, application, rules),
);

/** Injects the exchange itself. */
export const ExchangeParameter = (route: string, rules?: BodyRules): ParameterDecorator =>
  decorate({ isBody: false, label: `the request of ${route}`, rules }, ParameterPipe);

/** Injects the validated body. */
export const BodyParameter = (route: string, rules: BodyRules): ParameterDecorator =>
  decorate({ isBody: true, label: `the body of ${route} (${rules.type.name})`, rules }, ParameterPipe);
