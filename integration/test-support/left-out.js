/** What `npm test` leaves to runs that test everything, `TESTS=all npm test`; .ci/run does so each time. The end of a run tells it. */
export const LEFT_OUT = [
  {
    files: '/packages/crud-memory/test/faults\\.spec\\.ts$',
    says: 'faults that the conformance kit must notice',
  },
  {
    files: '/scripts/test/(packages|bundled|patterns)\\.spec\\.ts$',
    says: 'what npm packs, bundles, regular expressions',
  },
  {
    files: '/packages/[^/]+/test/(typed|types)/[^/]+\\.spec\\.ts$',
    says: 'the compiler on public types, under each module resolution',
  },
];
