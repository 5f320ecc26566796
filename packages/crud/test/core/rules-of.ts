/** The rules of a class as a body's, unless said otherwise. */
import type { Type } from '@nestjs/common';
import type { BodyRules } from '../../src/validation/body-rules.js';

export const rulesOf = (type: Type<unknown>, options: Partial<BodyRules> = {}): BodyRules => ({
  type,
  group: undefined,
  bulk: false,
  wholeBulk: false,
  isModel: false,
  isDto: false,
  resource: 'PlainController',
  mode: 'insert',
  acceptsGeneratedKey: false,
  validation: {},
  ...options,
});
