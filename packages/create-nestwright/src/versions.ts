/** Versions that a new application begins with. */
import { createRequire } from 'node:module';

/** That of this package, which all packages share. */
const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export const NESTWRIGHT = `^${version}`;

export const NEST = {
  '12': { nest: '^12.0.0', cli: '^12.0.0', typeorm: '^12.0.0', swagger: '^12.0.0' },
  '11': { nest: '^11.0.0', cli: '^11.0.0', typeorm: '^11.0.0', swagger: '^11.0.0' },
} as const;
