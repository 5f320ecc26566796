/** All scenes, in the order in which they are played. */
import type { Scene } from '../scene.js';
import { EXAMPLE_BODIES } from './example-bodies.js';
import { EXAMPLE_CONDITIONS } from './example-conditions.js';
import { EXAMPLE_LISTS } from './example-lists.js';
import { EXAMPLE_WRITES } from './example-writes.js';
import { WORKSPACE_MANY } from './workspace-many.js';
import { WORKSPACE_READS } from './workspace-reads.js';
import { WORKSPACE_TENANTS } from './workspace-tenants.js';
import { WORKSPACE_WRITES } from './workspace-writes.js';

export const SCENES: readonly Scene[] = [
  ...EXAMPLE_CONDITIONS,
  ...EXAMPLE_LISTS,
  ...EXAMPLE_BODIES,
  ...EXAMPLE_WRITES,
  ...WORKSPACE_READS,
  ...WORKSPACE_MANY,
  ...WORKSPACE_WRITES,
  ...WORKSPACE_TENANTS,
];
