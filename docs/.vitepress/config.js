/** The site that `npm run docs:build` makes of the pages in docs/, which read as well where they lie. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, changeLinks, hangingIndent, splitHttp } from './markdown.js';

const REPOSITORY = 'https://github.com/nestwright/nestwright';

// What `npm run docs:api` makes of the doc comments. Half a minute: the tests of the site do without.
const HAS_API = process.env.DOCS_API !== 'off' && existsSync(join(import.meta.dirname, '../reference/api/index.md'));

/** The guide in the order of reading; later groups are folded until one of their pages is open. Previous and next pages follow. */
const SIDEBAR = [
  group('Start', [
    ['Five minutes', '/start'],
    ['With Drizzle', '/drizzle'],
    ['Records in memory', '/memory'],
    ['Moving from nestjsx/crud', '/migration'],
    ['Migration: code', '/migration-code'],
    ['Migration: reads', '/migration-reads'],
    ['Migration: writes', '/migration-writes'],
  ]),
  group('Read', [
    ['Filtering, sorting, paging', '/filtering'],
    ['Relations and joins', '/relations'],
    ['Nested routes', '/nested-routes'],
    ['Cursors', '/cursors'],
    ['Aggregates', '/aggregates'],
    ['Exports', '/export'],
    ['Serialization', '/serialization'],
  ]),
  group('Write', [
    ['Validation', '/validation'],
    ['Validate with zod or valibot', '/standard-schema'],
    ['Options of validation', '/validation-options'],
    ['Values of columns', '/column-types'],
    ['Many records', '/many-records'],
    ['Soft delete', '/soft-delete'],
    ['Locking and ETags', '/conditional-requests'],
    ['Concurrent writes', '/concurrency'],
  ]),
  group('Protect', [
    ['Authorization', '/auth'],
    ['Related records', '/related-records'],
    ['Many tenants', '/tenants'],
    ['Passwords and secrets', '/passwords'],
    ['Security', '/security'],
  ]),
  group('Operate', [
    ['Databases', '/databases'],
    ['Operations', '/operations'],
    ['Scaling', '/scaling'],
    ['Monitoring', '/monitoring'],
    ['Cache reads', '/caching'],
    ['Performance', '/performance'],
    ['Fast paths', '/fast-paths'],
    ['Bundling and serverless', '/bundling'],
    ['Runtimes', '/runtimes'],
  ]),
  folded('Extend', [
    ['Own routes and overrides', '/own-routes'],
    ['Services', '/services'],
    ['Hooks', '/hooks'],
    ['Transactions', '/transactions'],
    ['Events and the outbox', '/events'],
    ['Testing a resource', '/testing'],
    ['Write an adapter', '/adapters'],
  ]),
  folded('Clients', [
    ['Queries in a front end', '/front-end'],
    ['A typed client', '/typed-client'],
    ['OpenAPI and generated clients', '/openapi'],
    ['The OpenAPI document', '/openapi-document'],
    ['react-admin and refine', '/clients'],
  ]),
  folded('Reference', [
    ['Options', '/reference/'],
    ['Query language', '/query-language'],
    ['Values in queries', '/query-values'],
    ['Grammar', '/query-grammar'],
    ['Errors', '/errors'],
    ['Troubleshooting', '/troubleshooting'],
    ['Startup errors', '/startup-errors'],
    ['Startup errors of routes', '/startup-errors-routes'],
    ...(HAS_API ? [['Public API', '/reference/api/']] : []),
  ]),
  folded('Project', [
    ['Compared with others', '/comparison'],
    ['Figures of the benchmark', '/performance-figures'],
    ['Architecture', '/architecture'],
    ['Two requests, step by step', '/walk'],
    ['Where is …?', '/where-is'],
    ['Glossary', '/glossary'],
    ['Decisions', '/decisions/'],
  ]),
];

function group(text, pages) {
  return { text, items: pages.map(([title, link]) => ({ text: title, link })) };
}

function folded(text, pages) {
  return { ...group(text, pages), collapsed: true };
}

/** Guides are found before decisions, and these before symbols of the API. Runs in the browser, so that it is whole. */
function boostDocument(page) {
  if (page.startsWith('/reference/api/')) return 0.1;

  return page.startsWith('/decisions/') || page.startsWith('/performance-figures') ? 0.4 : 1;
}

export default defineConfig({
  title: 'nestwright',
  description:
    'One decorator turns a NestJS controller into a REST resource: routes, filters, validation, permissions, OpenAPI.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  outDir: './.vitepress/dist',
  srcExclude: HAS_API ? [] : ['reference/api/**'],
  rewrites: { 'reference/README.md': 'reference/index.md', 'decisions/README.md': 'decisions/index.md' },
  head: [['link', { rel: 'icon', href: '/logo.svg', type: 'image/svg+xml' }]],
  markdown: {
    config: (md) => [changeLinks(REPOSITORY), splitHttp].forEach((change) => change(md)),
    anchor: { slugify: anchorOf },
    codeTransformers: [hangingIndent],
    // Of GitHub's themes those whose comments have enough contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guide', items: SIDEBAR.slice(1, -2).map(({ text, items: [{ link }] }) => ({ text, link })) },
      { text: 'Reference', link: '/reference/' },
      { text: 'Moving from nestjsx/crud', link: '/migration' },
    ],
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    footer: { message: `Released under the <a href="${REPOSITORY}/blob/main/LICENSE">MIT license</a>.` },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
});
