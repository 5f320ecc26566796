import type { ValidationError } from '@nestjs/common';
import type { BodyScope } from '../plan/body-scope.js';
import type { Body } from './plain-body.js';

/** A validated body; {@link value} counts only if there are no errors. */
export interface ValidatedBody {
  readonly value: Body;
  readonly errors: readonly ValidationError[];
}

/**
 * @param added Properties that path or `persist` set: errors there are never the client's.
 * @param scope What is put into nested records while they are validated. Default: nothing.
 */
export type BodyValidator = (
  body: Body,
  added: ReadonlySet<string>,
  scope?: BodyScope,
) => ValidatedBody | Promise<ValidatedBody>;
