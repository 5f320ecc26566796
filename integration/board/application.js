/** The built workspace with the board at /board/, ready to listen. Screens that do not compile stop the start. */
import { join } from 'node:path';
import { build } from 'vite';
import { createWorkspace } from '../workspace/dist/app.js';

const home = import.meta.dirname;

export async function createBoard(options) {
  await build({ configFile: join(home, 'vite.config.js') });
  const app = await createWorkspace({ ...options, http: 'express' });
  app.useStaticAssets(join(home, 'dist'), { prefix: '/board/' });

  return app;
}
