/** Validates by a Standard Schema: what it makes of a record is what is stored. */
import { isDeepStrictEqual } from 'node:util';
import type { ValidationError } from '@nestjs/common';
import { isPlainObject } from '../definition/plain-objects.js';
import { copyOf } from '../plan/body-scope.js';
import type { BodyRules, BodyValidator } from './body-rules.js';
import { type Body, isRecordBody } from './plain-body.js';
import { thrownException } from './body-exceptions.js';
import type { StandardSchema, StandardSchemaIssue, StandardSchemaResult } from '../definition/standard-schema.js';

export function makeSchemaValidator({ mode, resource }: BodyRules, schema: StandardSchema): BodyValidator {
  // A schema may throw before there is a promise to fail.
  const validate = async (value: unknown) => schema['~standard'].validate(value);

  return async (body, added) => {
    try {
      const { result, validated } = await validateWithScope(validate, body, added);
      if (result.issues) return { value: body, errors: result.issues.map(writeIssue) };

      const value = requireRecord(result.value);

      // What a PATCH omits is left alone, so that a default of the schema is no value.
      return { value: mode === 'update' ? await withoutDefaults(value, validated, validate) : value, errors: [] };
    } catch (error) {
      throw thrownException(error, { resource, by: 'the schema', of: 'the body' });
    }
  };
}

type Validate = (value: unknown) => Promise<StandardSchemaResult>;

// A schema does not reveal its properties: it is tried with the path's values and, if it refuses them, without. They
// are set afterwards in any case.
async function validateWithScope(
  validate: Validate,
  body: Body,
  added: ReadonlySet<string>,
): Promise<{ result: StandardSchemaResult; validated: Body }> {
  const result = await validate(body);
  if (!result.issues || added.size === 0) return { result, validated: body };

  const bare = Object.fromEntries(Object.entries(body).filter(([property]) => !added.has(property)));
  const second = await validate(bare);
  if (!second.issues) return { result: second, validated: bare };

  // Both are refused, and the client learns what is wrong with its own properties.
  const issues = [second.issues, result.issues]
    .map((all) => all.filter((issue) => !added.has(listKeys(issue)[0] ?? '')))
    .find((own) => own.length > 0);

  return { result: { issues: issues ?? result.issues }, validated: body };
}

function requireRecord(value: unknown): Body {
  if (isRecordBody(value)) return value;

  throw new TypeError('A Standard Schema of a body must yield an object');
}

// PATCH writes what the body carries: a value that the schema also yields for an empty body is a default and dropped;
// computed values stay.
async function withoutDefaults(value: Body, body: Body, validate: Validate): Promise<Body> {
  const kept = onlySent(value, body);
  const unsent = Object.keys(value).filter((key) => !Object.hasOwn(body, key) && value[key] !== undefined);
  if (unsent.length === 0) return kept;

  const [once, again] = [await validate({}), await validate({})];
  if (once.issues || again.issues) return kept;

  const [initial, other] = [requireRecord(once.value), requireRecord(again.value)];
  for (const key of unsent) {
    if (value[key] instanceof Date || isDeepStrictEqual(value[key], initial[key])) continue;
    // A default may differ each time.
    if (isDeepStrictEqual(initial[key], other[key])) kept[key] = value[key];
  }

  return kept;
}

// Parts of an embedded object keep the rest, too; a list is always written as a whole.
function onlySent(value: Body, body: Body): Body {
  const kept = copyOf(value);

  for (const key of Object.keys(kept)) {
    const [made, sent] = [kept[key], body[key]];

    if (!Object.hasOwn(body, key)) delete kept[key];
    else if (isPlainObject(made) && isPlainObject(sent)) kept[key] = onlySent(made, sent);
  }

  return kept;
}

/** An issue in the form of class-validator's errors, for an `exceptionFactory` of the application, too. */
function writeIssue(issue: StandardSchemaIssue): ValidationError {
  const path = listKeys(issue);
  const property = path.pop() ?? '';
  const error: ValidationError = {
    property,
    constraints: { schema: [property, issue.message].filter(Boolean).join(' ') },
  };

  return path.reduceRight((inner, key): ValidationError => ({ property: key, children: [inner] }), error);
}

function listKeys({ path }: StandardSchemaIssue): string[] {
  return (path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}
