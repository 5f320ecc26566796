/** Applications over real HTTP, on Express and on Fastify. */
import { afterEach, describe, test } from '@jest/globals';
import * as common from '@nestjs/common';
import type { INestApplication, ModuleMetadata, NestApplicationOptions, Type } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { Server } from 'node:http';
import request from 'supertest';

export type Platform = 'express' | 'fastify';

export interface StartOptions extends ModuleMetadata {
  platform?: Platform;
  configure?: (app: INestApplication) => void;
  /** Options of Nest's application. */
  nest?: NestApplicationOptions;
}

const running: INestApplication[] = [];

/** Starts an application; {@link describePlatforms} closes it after the test. */
export async function start({ platform = 'express', configure, nest, ...metadata }: StartOptions): Promise<Api> {
  const module = await Test.createTestingModule(metadata).compile();
  const app =
    platform === 'fastify'
      ? module.createNestApplication(new FastifyAdapter(), { logger: false, ...nest })
      : module.createNestApplication({ logger: false, ...nest });
  running.push(app);
  configure?.(app);
  await app.init();
  if (platform === 'fastify') await (app.getHttpAdapter().getInstance() as { ready(): Promise<void> }).ready();
  return new Api(app);
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}

/** A client of a running application. */
export class Api {
  constructor(readonly app: INestApplication) {}
  private get server(): Server {
    return this.app.getHttpServer() as Server;
  }

  readonly get = (path: string, headers: Record<string, string> = {}) => request(this.server).get(path).set(headers);
  readonly post = (path: string, body?: string | object) => send(request(this.server).post(path), body);
  readonly patch = (path: string, body?: string | object) => send(request(this.server).patch(path), body);
  readonly put = (path: string, body?: string | object) => send(request(this.server).put(path), body);
  readonly delete = (path: string) => request(this.server).delete(path);

  resolve<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }
}

// A text is sent as it stands, as JSON.
function send(test: request.Test, body: string | object | undefined): request.Test {
  if (body === undefined) return test;
  return test.set('content-type', 'application/json').send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A suite of applications, each of which is closed after its test. */
export function describeApplications(name: string, suite: () => void): void {
  describe(name, () => {
    afterEach(stopAll);
    suite();
  });
}

/** Runs a suite on both HTTP platforms. */
export function describePlatforms(name: string, suite: (platform: Platform) => void): void {
  describe.each<Platform>(['express', 'fastify'])(`${name} · %s`, (platform) => {
    afterEach(stopAll);
    suite(platform);
  });
}

/** A test of what Nest 11 does not have; there it is skipped. */
export const testOnNest12 = 'StandardSchemaValidationPipe' in common ? test : test.skip;
