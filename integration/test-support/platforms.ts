/** Runs a suite once per HTTP platform that Nest runs on. */
import { describe } from '@jest/globals';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Test } from '@nestjs/testing';
import { isLeftOut, within } from './extent.js';
import { listening } from './listening.js';

/** The two platforms, named as the example application's `HTTP` names them. */
export type HttpPlatform = 'express' | 'fastify';

/** Makes a platform's adapter, a new one per application: `createNestApplication(HTTP_ADAPTERS[platform]())`. */
export const HTTP_ADAPTERS = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(),
} satisfies Record<HttpPlatform, () => AbstractHttpAdapter>;

export const PLATFORMS = Object.keys(HTTP_ADAPTERS) as HttpPlatform[];
type TestingModule = Awaited<ReturnType<ReturnType<typeof Test.createTestingModule>['compile']>>;

/**
 * Starts an application on a platform and answers it together with its URL, on a free port of 127.0.0.1.
 *
 * @param prepare what is done to the application before it listens
 *
 * @example const { app, url } = await listen(await Test.createTestingModule({ controllers }).compile(), 'fastify');
 */
export async function listen(
  module: TestingModule,
  platform: HttpPlatform,
  options: NestApplicationOptions = {},
  prepare?: (app: INestApplication) => void,
) {
  const app = module.createNestApplication(HTTP_ADAPTERS[platform](), { logger: ['error', 'fatal'], ...options });
  prepare?.(app);
  return { app, url: (await listening(app)).origin };
}

/**
 * Runs a suite on Express and on Fastify; its title is `<name> · <platform>`. Unless everything is tested, a suite
 * of several databases runs on one of both for each.
 */
export function describePlatforms(name: string, body: (platform: HttpPlatform) => void): void {
  for (const platform of PLATFORMS)
    if (!isLeftOut({ platform })) describe(`${name} · ${platform}`, () => within({ platform }, () => body(platform)));
}
