import type { ValidationPipeOptions } from '@nestjs/common';
import { isObject, merged } from '../definition/plain-objects.js';

type Option = keyof ValidationPipeOptions;
/** The values of one option, pipe by pipe; `undefined` if a pipe does not set it. */
type Strictest = (values: readonly unknown[]) => unknown;

const ifAny: Strictest = (values) => values.includes(true) || values.find((value) => value !== undefined);
// A pipe that does not set the option does not skip.
const ifAll: Strictest = (values) => (values.some((value) => value !== undefined) ? values.every(Boolean) : undefined);
/** The first pipe refuses first, so its value wins. */
const first: Strictest = (values) => values.find((value) => value !== undefined);
const least: Strictest = (values) => {
  const lengths = values.filter((value) => typeof value === 'number');

  return lengths.length > 0 ? Math.min(...lengths) : undefined;
};
const together: Strictest = (values) =>
  values.filter(isObject).reduce<object | undefined>((under, over) => (under ? merged(under, over) : over), undefined);

/** Every option that pipes bring along. Groups are the routes', and instances the resource's. */
const STRICTEST = {
  whitelist: ifAny,
  forbidNonWhitelisted: ifAny,
  forbidUnknownValues: ifAny,
  skipMissingProperties: ifAll,
  skipNullProperties: ifAll,
  skipUndefinedProperties: ifAll,
  stopAtFirstError: ifAny,
  dismissDefaultMessages: ifAny,
  validationError: together,
  always: ifAny,
  strictGroups: ifAll,
  transformOptions: together,
  errorHttpStatusCode: first,
  disableErrorMessages: ifAny,
  exceptionFactory: first,
  errorFormat: first,
  maxErrorMessagesLength: least,
} as const satisfies Partial<Record<Option, Strictest>>;

/** Merges the options of the pipes before one body. */
export function strictestOf(pipes: readonly ValidationPipeOptions[]): ValidationPipeOptions {
  const chosen = Object.entries(STRICTEST).map(([option, strictest]) => [
    option,
    strictest(pipes.map((options) => options[option as Option] as unknown)),
  ]);

  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as ValidationPipeOptions;
}
