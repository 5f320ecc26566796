/** Applications that listen on a free port. */
import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';

export interface Served {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** The address of a server on the loopback interface, as clients of IPv4 name it. */
export const addressOf = (url: string): string => url.replace('[::1]', '127.0.0.1');

/**
 * Has an application listen on a free port. Its server ends no idle connection, since a client whose process is busy may send on one that is
 * just being ended.
 */
export async function listening(app: INestApplication): Promise<Served> {
  await app.listen(0, '127.0.0.1');
  (app.getHttpServer() as Server).keepAliveTimeout = 0;
  return { origin: addressOf(await app.getUrl()), close: () => app.close() };
}
