/** Packages of a project that nestwright, or the Nest and TypeORM that it needs, do not work with. */
import semver from 'semver';
import { FRONT_END_RANGES, NEEDED_RANGES, OLD_PACKAGES } from './names.js';
import { hasPart, listSections, type Manifest } from './package-json.js';

/** What is installed, by name: the package.json of each dependency. */
export type Installed = ReadonlyMap<string, Manifest>;

/** A line for each package, with the version that it must have, or with the range that keeps another one back. */
export function findUnfitVersions(manifest: Manifest, installed: Installed = new Map()): string[] {
  const isServer = hasPart(manifest, 'crud') || hasPart(manifest, 'crud-typeorm');
  const ranges = isServer ? NEEDED_RANGES : FRONT_END_RANGES;

  return listSections(manifest).flatMap(({ section, versions }) =>
    Object.entries(versions).flatMap(([name, asked]) => {
      if (name in OLD_PACKAGES) return [];
      const found = installed.get(name);
      const needed = ranges[name];
      if (needed === undefined) return isServer ? describePeers(`${section}.${name}`, found) : [];

      const version = typeof found?.['version'] === 'string' ? found['version'] : asked;
      return fits(version, needed) ? [] : [`${section}.${name} is ${version}, but must be ${needed}`];
    }),
  );
}

/** The peers of a package that allow no version which nestwright needs. */
function describePeers(name: string, found: Manifest | undefined): string[] {
  const peers = (found?.['peerDependencies'] ?? {}) as Readonly<Record<string, unknown>>;
  const old = Object.entries(peers).filter(([peer, range]) => {
    const needed = NEEDED_RANGES[peer];
    return needed !== undefined && typeof range === 'string' && !fits(range, needed);
  });
  if (old.length === 0) return [];
  const ranges = old.map(([peer, range]) => `${peer} ${String(range)}`).join(', ');

  return [`${name} is ${String(found?.['version'])}, which only works with ${ranges}`];
}

/** Whether some version is in both ranges. A tag or a path is believed. */
function fits(range: string, needed: string): boolean {
  return semver.validRange(range) === null || semver.intersects(range, needed, { includePrerelease: true });
}
