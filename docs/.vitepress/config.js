/** The site that `npm run docs:build` makes of the pages in docs/, which read as well where they lie. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const REPOSITORY = 'https://github.com/nestwright/nestwright';

// What `npm run docs:api` makes of the doc comments. Half a minute: the tests of the site do without.
const HAS_API = process.env.DOCS_API !== 'off' && existsSync(join(import.meta.dirname, '../reference/api/index.md'));

/** Pages by the question that brings a reader, in the order of the sidebar. */
const SIDEBAR = [
  {
    text: 'Start',
    items: [
      { text: 'Five minutes', link: '/start' },
      { text: 'Moving from nestjsx/crud', link: '/migration' },
    ],
  },
  {
    text: 'Reading',
    items: [
      { text: 'Filtering, sorting, paging', link: '/filtering' },
      { text: 'Relations and joins', link: '/relations' },
      { text: 'Nested routes', link: '/nested-routes' },
      { text: 'Cursors', link: '/cursors' },
      { text: 'Aggregates', link: '/aggregates' },
      { text: 'Exports', link: '/export' },
      { text: 'Serialization', link: '/serialization' },
    ],
  },
  {
    text: 'Writing',
    items: [
      { text: 'Validation', link: '/validation' },
      { text: 'Soft delete', link: '/soft-delete' },
      { text: 'Many records', link: '/many-records' },
      { text: 'Locking and ETags', link: '/conditional-requests' },
      { text: 'Passwords and secrets', link: '/passwords' },
    ],
  },
  {
    text: 'Who sees what',
    items: [
      { text: 'Authorization', link: '/auth' },
      { text: 'Many tenants', link: '/tenants' },
      { text: 'Security', link: '/security' },
    ],
  },
  {
    text: 'Code of your own',
    items: [
      { text: 'Own routes and overrides', link: '/own-routes' },
      { text: 'Services', link: '/services' },
      { text: 'Hooks, transactions, events', link: '/hooks' },
      { text: 'Testing a resource', link: '/testing' },
      { text: 'With Drizzle', link: '/drizzle' },
      { text: 'Records in memory', link: '/memory' },
      { text: 'Write an adapter', link: '/adapters' },
    ],
  },
  {
    text: 'Clients',
    items: [
      { text: 'Queries in a front end', link: '/front-end' },
      { text: 'A typed client', link: '/typed-client' },
      { text: 'OpenAPI and generated clients', link: '/openapi' },
      { text: 'react-admin and refine', link: '/clients' },
    ],
  },
  {
    text: 'Running it',
    items: [
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'Databases', link: '/databases' },
      { text: 'Operations', link: '/operations' },
      { text: 'Performance', link: '/performance' },
      { text: 'Bundling and serverless', link: '/bundling' },
      { text: 'Runtimes', link: '/runtimes' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Options', link: '/reference/' },
      { text: 'Query language', link: '/query-language' },
      { text: 'Errors', link: '/errors' },
      ...(HAS_API ? [{ text: 'Public API', link: '/reference/api/' }] : []),
    ],
  },
  {
    text: 'Project',
    items: [
      { text: 'Compared with others', link: '/comparison' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Two requests, step by step', link: '/walk' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
];

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Links out of docs/ lead to the repository, links to a README to the page that it is here. */
function changeLinks(md) {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const outside = '../'.repeat(env.relativePath.split('/').length);

    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === 'link_open' ? token.attrGet('href') : undefined;
      if (!target || /^\w+:/.test(target)) continue;

      const isOutside = target.startsWith(outside);
      token.attrSet(
        'href',
        isOutside
          ? `${REPOSITORY}/blob/main/${target.slice(outside.length)}`
          : target.replace(/README\.md(?=#|$)/, 'index.md'),
      );
    }
  });
}

export default defineConfig({
  title: 'nestwright',
  description: 'One decorator turns a NestJS controller into a complete, safe and fast REST resource.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  outDir: './.vitepress/dist',
  srcExclude: HAS_API ? [] : ['reference/api/**'],
  rewrites: { 'reference/README.md': 'reference/index.md', 'decisions/README.md': 'decisions/index.md' },
  markdown: { config: changeLinks, anchor: { slugify: anchorOf } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guide', link: '/filtering' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Moving from nestjsx/crud', link: '/migration' },
    ],
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
});
