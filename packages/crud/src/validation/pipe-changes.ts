/** Separates a pipe's own changes to a body from what class-transformer does to any body. */
import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import { isPlainObject } from '../definition/plain-objects.js';
import { classTransformer } from '../nest/optional-peers.js';
import { type Body, isNestedRecord, isRecordBody } from './plain-body.js';

/**
 * @param transformOptions Options by which the pipe makes instances.
 * @returns Plain values as the client sent them except those that the pipe changed. Initialisers, implicit conversions and the properties that a class excludes are class-transformer's
 *   doing, which is done when the body is validated.
 */
export function withPipeChanges(
  sent: Body,
  made: unknown,
  type: Type<unknown>,
  transformOptions: object | undefined,
): unknown {
  if (!isRecordBody(made)) return made;
  if (made === sent) return sent;

  return changedRecord(sent, made, transformed(sent, type, transformOptions));
}

// What leaves a whole class's properties out is the pipe's decision, and must not look like the class's.
function transformed(sent: Body, type: Type<unknown>, options: object | undefined): unknown {
  try {
    return classTransformer?.plainToInstance(type, structuredClone(sent), {
      ...options,
      excludeExtraneousValues: false,
      strategy: undefined,
    });
  } catch {
    return undefined;
  }
}

function changedRecord(sent: Body, made: Body, transformer: unknown): Body {
  const usual = isRecordBody(transformer) ? transformer : undefined;
  const carried: Body = {};

  for (const [name, value] of Object.entries(made)) {
    if (value === undefined) continue;
    if (Object.hasOwn(sent, name)) carried[name] = changedValue(sent[name], value, usual?.[name]);
    else if (usual?.[name] === undefined) carried[name] = value;
  }
  for (const name of Object.keys(sent)) {
    const isOmitted = made[name] === undefined;
    if (isOmitted && usual && usual[name] === undefined) carried[name] = sent[name];
  }

  return carried;
}

function changedValue(sent: unknown, made: unknown, usual: unknown): unknown {
  if (isDeepStrictEqual(sent, made)) return sent;
  if (isPlainObject(sent) && isNestedRecord(made)) return changedRecord(sent, made, usual);
  if (Array.isArray(sent) && Array.isArray(made) && sent.length === made.length) {
    return sent.map((item: unknown, index) =>
      changedValue(item, made[index], Array.isArray(usual) ? usual[index] : undefined),
    );
  }

  return usual !== undefined && isDeepStrictEqual(made, usual) ? sent : made;
}
