/** What the suites of every package share: the databases and the HTTP platforms that they run on. */
export * from './databases.js';
export * from './platforms.js';
