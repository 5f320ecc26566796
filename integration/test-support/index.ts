/** What the suites of every package share: the databases, the HTTP platforms and the paths that they run on. */
export * from './databases.js';
export { anyCharacter } from './any-character.js';
export { sampleCount, sampleOf } from './extent.js';
export * from './fast-paths.js';
export * from './platforms.js';
