/** The adapters of both HTTP platforms, set up so that they take the same requests. */
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** Makes a platform's adapter, a new one per application. */
export const PLATFORMS = {
  express: () => new ExpressAdapter(),
  fastify: tolerantFastify,
} satisfies Record<string, () => AbstractHttpAdapter>;

/** Name of an HTTP platform. */
export type Platform = keyof typeof PLATFORMS;

/** Whether a text, as from the environment, names a platform. */
export const isPlatform = (name: string): name is Platform => Object.hasOwn(PLATFORMS, name);

function tolerantFastify(): FastifyAdapter {
  // Fastify refuses bodies with these keys; removed, they are properties that nobody knows, as on Express.
  const adapter = new FastifyAdapter({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' });

  // Many clients, react-admin among them, name a content type with a DELETE that has no content; Fastify would refuse it.
  adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;

    if (length === '0' && encoding === undefined) delete request.headers['content-type'];
    done();
  });

  return adapter;
}
