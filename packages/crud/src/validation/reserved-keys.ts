/**
 * Keys that no record may have, since a static path of the resource would hide the record: with `GET /count` there is
 * no `GET /:id` for the key `count`.
 */
import { keyParams, type ResourceDefinition } from '../definition/resource-definition.js';
import { crudError } from '../errors.js';
import { readOwnPath } from '../definition/plain-objects.js';
import { reservedWords } from '../routes/optional-routes.js';

/** The keys that bodies of a resource may not have. */
export interface ReservedKeys {
  /** Path of the field that comes first in the path of a record. */
  readonly field: string;
  /** In lower case. */
  readonly words: ReadonlySet<string>;
}

/** Undefined if every key is free. */
export function readReservedKeys({ options: { params }, routes }: ResourceDefinition): ReservedKeys | undefined {
  const keys = keyParams(params);
  const [first] = keys;
  const words = first && reservedWords(routes, keys.length);

  return words && words.size > 0 ? { field: first.field, words } : undefined;
}

/**
 * Refuses a record whose key is reserved.
 *
 * @param sent What the client sent: a key that is not in it comes from the path.
 * @param place Path of the record in the body; empty if it is the body.
 */
export function refuseReserved(record: object, sent: object, reserved: ReservedKeys, place = ''): void {
  const key = readOwnPath(record, reserved.field);
  if (typeof key !== 'string' || !reserved.words.has(key.toLowerCase())) return;

  const field = place === '' ? reserved.field : `${place}.${reserved.field}`;
  const fault = `${field} must not be ${key}, which is the path of another route`;
  throw (readOwnPath(sent, reserved.field) ?? undefined) === undefined
    ? crudError('CRUD_INVALID_PARAM', { message: fault, field })
    : crudError('CRUD_INVALID_BODY', { message: [fault], field });
}
