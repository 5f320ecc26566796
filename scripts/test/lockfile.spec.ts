/** The lock file installs anywhere: it names no registry, and it knows the optional packages of platforms that this machine is not. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const path = new URL('../../package-lock.json', import.meta.url);
const packages = new Map<string, Locked>(
  Object.entries((JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Locked> }).packages),
);

/** Where Node would look for a dependency, from the dependent's own folder up to the root. */
function* places(from: string, name: string): Generator<string> {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    yield at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (at === '') return;
  }
}

test('names no registry', () => {
  expect([...packages].filter(([, { resolved }]) => resolved !== undefined && /^[a-z+]+:/.test(resolved))).toEqual([]);
});

test('has an entry for every dependency, optional ones of other platforms included', () => {
  const missing: string[] = [];
  for (const [from, { dependencies, optionalDependencies }] of packages) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (![...places(from, name)].some((place) => packages.has(place)))
        missing.push(`${name} of ${from || 'the root'}`);
    }
  }
  // npm 11 refuses to install from an incomplete lock file, and other platforms would lack their binaries.
  expect(missing).toEqual([]);
});
