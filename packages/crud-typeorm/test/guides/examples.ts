/** Examples of the documentation, run as they stand there. */
import * as jest from '@jest/globals';
import * as common from '@nestjs/common';
import * as testing from '@nestjs/testing';
import * as nestTypeOrm from '@nestjs/typeorm';
import * as crud from '@nestwright/crud';
import * as crudRequest from '@nestwright/crud-request';
import * as crudTypeOrm from '@nestwright/crud-typeorm';
import supertest from 'supertest';
import * as typeorm from 'typeorm';
import ts from 'typescript';
import { readPage } from '../../../../integration/test-support/pages.js';

const MODULES: Record<string, object> = {
  '@jest/globals': jest,
  '@nestjs/common': common,
  '@nestjs/testing': testing,
  '@nestjs/typeorm': nestTypeOrm,
  '@nestwright/crud': crud,
  '@nestwright/crud-request': crudRequest,
  '@nestwright/crud-typeorm': crudTypeOrm,
  supertest,
  typeorm,
};
const compilerOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  esModuleInterop: true,
};

/**
 * Runs the blocks of a page that have some texts, one after the other.
 *
 * @param own What they import from the application that they are part of; what they export is added, for those after them.
 */
export function runExamples<T extends object>(own: object, page: string, ...texts: readonly string[]): T {
  const blocks = [...readPage(page).matchAll(/^```(?:ts|typescript)\n(.*?)^```/gms)].map(([, code = '']) => code);
  for (const text of texts) {
    const code = blocks.find((block) => block.includes(text))!;
    const run = new Function('require', 'exports', ts.transpileModule(code, { compilerOptions }).outputText);
    run((name: string) => MODULES[name] ?? own, own);
  }
  return own as T;
}
