/** What `npm test` leaves to `TESTS=ci npm test`, which .ci/run does each time. The end of a run tells it. */
export const LEFT_OUT = [
  {
    files: '/packages/crud-memory/test/faults\\.spec\\.ts$',
    says: 'faults that the conformance kit must notice',
  },
  {
    files: '/scripts/test/',
    says: 'the workspace itself: lint boundaries, code in the documentation, regular expressions, what npm packs, releases',
  },
  {
    files: '/packages/[^/]+/test/(typed|types)/[^/]+\\.spec\\.ts$|/(upstream-names|client\\.e2e)\\.spec\\.ts$',
    says: 'the compiler on public types, under each module resolution, and on generated clients',
  },
  {
    files: '/packages/crud-drizzle/test/(page|kit)\\.spec\\.ts$',
    says: 'the conformance kit on Drizzle, and the application of docs/drizzle.md',
  },
  {
    files: '/integration/corpus/example-on-drizzle\\.spec\\.ts$',
    says: 'recorded requests of the example on Drizzle',
  },
  {
    files: '/packages/crud-typeorm/test/.+/most\\.spec\\.ts$',
    says: 'the most records of one request',
  },
  {
    files: '/docs-page\\.e2e\\.spec\\.ts$',
    says: 'the page at /docs in Chromium',
  },
  {
    files: '/integration/test-support/test/(compile|embedded-postgres)\\.spec\\.ts$',
    says: 'what the tests themselves are run with',
  },
];
