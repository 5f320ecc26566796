/** Sends JSON text with the headers that the platform sends with JSON. */
import type { ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { CONTENT_TYPES } from '../definition/media-types.js';
import type { JsonText } from '../response/json-text.js';
import { httpResponseOf } from './request-context.js';

/** Sets the content type of JSON and returns the text to send. */
export function sendText({ text }: JsonText, context: ExecutionContext, adapter: AbstractHttpAdapter): string {
  setJsonType(context, adapter);

  return text;
}

/** Gives a response the content type of JSON. */
export function setJsonType(context: ExecutionContext, adapter: AbstractHttpAdapter): void {
  const response = httpResponseOf(context);

  // A content type that middleware chose stays, as it does for records.
  if (!adapter.getHeader(response, 'content-type')) adapter.setHeader(response, 'content-type', CONTENT_TYPES.json);
}
