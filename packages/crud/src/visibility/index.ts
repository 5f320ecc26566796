/** The public face of the room: what the answers to a request show. */
export { type Answer, itemAnswer, pageAnswer, serializedByOwnClass } from './answers.js';
export { namedByClass, type NamedPaths, namedPaths, type Presence } from './named-paths.js';
export { plannedRecord } from './sample-records.js';
export { hiddenBySerialize, shownPaths, shownWithAnyGroups } from './shown-paths.js';
