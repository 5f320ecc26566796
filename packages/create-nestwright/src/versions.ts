/** The version of nestwright that a new application begins with. */
import { createRequire } from 'node:module';

/** That of this package, which all packages share. */
const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export const NESTWRIGHT = `^${version}`;
