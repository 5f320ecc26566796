/** What a run takes of samples and of places: see tests-asked-for.js. */
import type { DatabaseKind } from './databases.js';
import type { HttpPlatform } from './platforms.js';
import { TESTS_ALL } from './tests-asked-for.js';

/** The number of samples of a property test: a fifth of all, unless everything is tested. */
export const sampleCount = (all: number): number => (TESTS_ALL ? all : Math.ceil(all / 5));

/** Every fifth of a list, unless everything is tested. */
export const sampleOf = <T>(all: readonly T[]): T[] => all.filter((_, index) => TESTS_ALL || index % 5 === 0);

const PLATFORM_OF: Record<DatabaseKind, HttpPlatform> = { sqlite: 'express', postgres: 'fastify', mysql: 'express' };

/** Which suites are being described, one within the other. */
const surrounding: { platform?: HttpPlatform; database?: DatabaseKind } = {};

/** Describes suites of a platform or of a database, of which those within may ask {@link isLeftOut}. */
export function within(place: typeof surrounding, describeSuites: () => void): void {
  const before = { ...surrounding };
  Object.assign(surrounding, place);
  describeSuites();
  Object.assign(surrounding, { platform: undefined, database: undefined }, before);
}

/** Whether a suite on a database and a platform is left to the runs that test everything. */
export function isLeftOut(place: typeof surrounding): boolean {
  const { platform, database } = { ...surrounding, ...place };
  return !TESTS_ALL && platform !== undefined && database !== undefined && PLATFORM_OF[database] !== platform;
}
