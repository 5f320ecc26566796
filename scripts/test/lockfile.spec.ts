/** The lock file installs anywhere: it names no registry, and it knows the optional packages of platforms that this machine is not. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

type Locked = Partial<Record<'dependencies' | 'optionalDependencies', object>> & { readonly resolved?: string };
const path = new URL('../../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Locked> };

/** Whether Node would find a dependency, from the dependent's own folder up to the root. */
const finds = (from: string, name: string): boolean =>
  `${from && `${from}/`}node_modules/${name}` in packages ||
  (from !== '' && finds(from.slice(0, Math.max(0, from.lastIndexOf('/'))), name));

test('names no registry', () => {
  expect(Object.values(packages).filter(({ resolved = '' }) => /^[a-z+]+:/.test(resolved))).toEqual([]);
});

test('has an entry for every dependency, optional ones of other platforms included', () => {
  const missing = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !finds(from, name)),
  );
  // npm 11 refuses to install from an incomplete lock file, and other platforms would lack their binaries.
  expect(missing).toEqual([]);
});
