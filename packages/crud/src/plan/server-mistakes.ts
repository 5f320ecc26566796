/** The one place where planning logs: mistakes in conditions that the application wrote. */
import { Logger } from '@nestjs/common';
import { printError, serverError } from '../errors.js';

const logger = new Logger('Crud');

/** Logs which field was compared with undefined. */
export function reportUndefined(model: string, field: string): void {
  logger.error(
    `A condition on ${model} compares "${field}" with undefined: it matches nothing. Check what computes it ` +
      '(path parameters, @CrudAuth, query.filter).',
  );
}

/** Logs that there is no condition on a relation that should have one. */
export function reportMissingScope(path: string): void {
  logger.error(
    `@CrudAuth.relations[${JSON.stringify(path)}] gave no condition: none of these records is in reach. ` +
      'Where all of them are, it must give false.',
  );
}

/** How long the same mistake is not logged again, in milliseconds. */
const REPEAT_AFTER = 60_000;
/** Most mistakes that are remembered. */
const MAX_REMEMBERED = 100;
const logged = new Map<string, number>();

/**
 * The error for a condition of `@CrudAuth` or `query.filter` that names an unknown field, an operator that the field
 * does not take, or a value that it cannot hold: a 500 whose cause is logged, the same once a minute.
 *
 * @example
 * throw serverMistake('User', crudError('CRUD_UNKNOWN_FIELD', { field: 'emial' }));
 */
export function serverMistake(model: string, cause: unknown): Error {
  log(
    `A condition on ${model} that the application wrote is wrong: ${printError(cause)}. Check @CrudAuth and ` +
      'query.filter.',
  );

  return serverError(cause);
}

/**
 * The error for options of a request that an override changed to what the entity or the options do not allow: a 500
 * whose causes are logged, the same once a minute.
 *
 * @example
 * throw changedOptionsMistake('User', ['query.limit is "5", but must be an integer above 0']);
 */
export function changedOptionsMistake(model: string, mistakes: readonly string[]): Error {
  const text =
    `The options of a request for ${model}, which the application changed, are wrong: ${mistakes.join('; ')}. ` +
    'Check what sets request.options.';
  log(text);

  return serverError(new Error(text));
}

function log(text: string): void {
  const now = Date.now();
  if (now - (logged.get(text) ?? -Infinity) < REPEAT_AFTER) return;

  logged.delete(text);
  logged.set(text, now);
  if (logged.size > MAX_REMEMBERED) logged.delete(logged.keys().next().value!);
  logger.error(text);
}
