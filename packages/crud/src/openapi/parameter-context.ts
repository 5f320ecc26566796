import type { ParameterName } from '@nestwright/crud-request';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { ClientNames } from './client-names.js';
import type { ParameterObject } from './document-types.js';

/** What a parameter's description is made of. */
export interface Context {
  readonly query: ResourceDefinition['options']['query'];
  /** Between the parts of a filter (`||`), and between names (`,`). */
  readonly delim: string;
  readonly comma: string;
  /** Operators of the application's own. */
  readonly custom: readonly string[];
  readonly names: ClientNames;
}

export type Description = Omit<ParameterObject, 'name' | 'in' | 'required'>;
export type ParameterKey = Exclude<ParameterName, 'extra'>;
