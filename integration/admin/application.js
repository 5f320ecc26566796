/** The built workspace with the admin at /admin/, ready to listen. Screens that do not compile stop the start. */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import compression from 'compression';
import { build } from 'esbuild';
import { createWorkspace } from '../workspace/dist/app.js';

const home = import.meta.dirname;
const dist = join(home, 'dist');

/** Bundles the screens, each of which is loaded when it is opened. */
export async function buildAdmin() {
  await rm(dist, { recursive: true, force: true });
  await build({
    entryPoints: [join(home, 'src/main.jsx'), join(home, 'src/fonts.css')],
    outdir: dist,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    chunkNames: 'chunks/[name]-[hash]',
    assetNames: 'fonts/[name]-[hash]',
    loader: { '.woff2': 'file' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  await copyFile(join(home, 'index.html'), join(dist, 'index.html'));
}

export async function createAdmin(options) {
  await buildAdmin();
  const app = await createWorkspace({ ...options, http: 'express' });
  app.use('/admin', compression());
  app.useStaticAssets(dist, { prefix: '/admin/' });

  return app;
}
