/** The built workspace with the admin at /admin/, ready to listen. Screens that do not compile stop the start. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createWorkspace } from '../workspace/dist/app.js';

const home = import.meta.dirname;
const dist = join(home, 'dist');

/** Bundles the screens. */
export async function buildAdmin() {
  await build({
    entryPoints: [join(home, 'src/main.jsx')],
    outdir: dist,
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  await copyFile(join(home, 'index.html'), join(dist, 'index.html'));
}

export async function createAdmin(options) {
  await buildAdmin();
  const app = await createWorkspace({ ...options, http: 'express' });
  app.useStaticAssets(dist, { prefix: '/admin/' });

  return app;
}
