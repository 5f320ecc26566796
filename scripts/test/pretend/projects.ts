/** What the examples of `docs/auth.md` import: the application in which they run as tests. */
export * from '../../../packages/crud/test/auth-guide/projects.js';
