/** Where pipes are bound, and which: what an application gives `serve` for each. Pipes are made anew each time, since a class of one application is not to be seen by another. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { APP_PIPE } = require('@nestjs/core');
const { Injectable, Scope, ValidationPipe } = require('@nestjs/common');

const STRICT = { whitelist: true, forbidNonWhitelisted: true };
const strict = () => new ValidationPipe(STRICT);

class Strict extends ValidationPipe {
  constructor() {
    super(STRICT);
  }
}
Injectable()(Strict);

class StrictOfRequest extends ValidationPipe {
  constructor() {
    super(STRICT);
  }
}
Injectable({ scope: Scope.REQUEST })(StrictOfRequest);

/** Has a `transform` of its own, which no option can say. */
class Trimming extends ValidationPipe {
  transform(value, metadata) {
    const trimmed =
      metadata.type === 'body' && typeof value?.name === 'string' ? { ...value, name: value.name.trim() } : value;

    return super.transform(trimmed, metadata);
  }
}

const OPTIONS = [
  {},
  { whitelist: true },
  STRICT,
  { forbidUnknownValues: true },
  { skipMissingProperties: true },
  { skipNullProperties: true },
  { skipUndefinedProperties: true },
  { stopAtFirstError: true },
  { dismissDefaultMessages: true },
  { validationError: { target: true } },
  { always: true },
  { strictGroups: true },
  { groups: ['OTHER'] },
  { transform: true },
  { transform: true, transformOptions: { enableImplicitConversion: true } },
  { transformOptions: { exposeUnsetFields: false } },
  { errorHttpStatusCode: 422 },
  { disableErrorMessages: true },
];

export const WAYS = {
  'no pipe': () => ({}),
  ...Object.fromEntries(
    OPTIONS.map((options) => [
      `a global pipe with ${JSON.stringify(options)}`,
      () => ({ global: [new ValidationPipe(options)] }),
    ]),
  ),
  'APP_PIPE as value': () => ({ providers: [{ provide: APP_PIPE, useValue: strict() }] }),
  'APP_PIPE as class': () => ({ providers: [{ provide: APP_PIPE, useClass: Strict }] }),
  'APP_PIPE of the request': () => ({ providers: [{ provide: APP_PIPE, useClass: StrictOfRequest }] }),
  '@UsePipes on the controller': () => ({ controller: [strict()] }),
  '@UsePipes with a class': () => ({ controller: [Strict] }),
  '@UsePipes with a class of the request': () => ({ controller: [StrictOfRequest] }),
  '@UsePipes on the routes': () => ({ route: [strict()] }),
  'a subclass with its own transform': () => ({ global: [new Trimming(STRICT)] }),
  'two pipes': () => ({ global: [new ValidationPipe({ skipMissingProperties: true })], controller: [strict()] }),
};
