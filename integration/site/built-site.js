/** The built site: its pages by address, and a server that finds them without `.html`, as GitHub Pages does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const SITE = join(ROOT, 'docs/.vitepress/dist');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** `/start`, `/reference/` → the text of the page. */
export const PAGES = new Map(
  readdirSync(SITE, { recursive: true })
    .filter((path) => path.endsWith('.html') && path !== '404.html')
    .map((path) => [`/${path.replace(/(index)?\.html$/, '')}`, readFileSync(join(SITE, path), 'utf8')]),
);

/** Pages that are written by hand. */
export const GUIDES = [...PAGES.keys()].filter((path) => !path.startsWith('/reference/api/'));

/** The site on a free port. */
export async function serveSite() {
  const server = createServer(({ url }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = ['', 'index.html', '.html']
      .map((end) => join(SITE, path + end))
      .find((each) => existsSync(each) && extname(each));
    response.writeHead(
      file ? 200 : 404,
      file && {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'max-age=3600',
      },
    );
    response.end(file && readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
