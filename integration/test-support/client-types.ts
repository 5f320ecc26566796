/** Generates types from an application's document with `openapi-typescript`, beside the calls that import them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Served } from './served.js';

/** What tests read of an OpenAPI document. */
export interface Document {
  readonly paths: Record<string, Record<string, { readonly responses?: Record<string, unknown> }>>;
}

/** A file of `integration/test/client`. */
export const clientFile = (name: string): string => fileURLToPath(new URL(`../test/client/${name}`, import.meta.url));

/** @example const { paths } = await makeClientTypes(await serveExample({ databaseUrl: 'sqljs:', http: 'express' }), 'paths.ts'); */
export async function makeClientTypes({ origin }: Served, file: string): Promise<Document> {
  const document = (await (await fetch(`${origin}/docs-json`)).json()) as Document;
  // A default is what the server takes where a body says nothing: nothing that every body must say.
  const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
  writeFileSync(clientFile(file), astToString(types));

  return document;
}
