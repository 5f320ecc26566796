/** A release: the version is set and tagged as `npx lerna version` does it, and checked as the workflow does before it publishes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distTagOf, faultsOf, named, sectionOf } from '../release.js';
import { root, run } from './packed.js';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [1.0.0] - 2026-01-01\n\n- The first.\n';

test('a tag must agree with versions and changelog, which has a text for each version, and one alone', () => {
  const empty = CHANGELOG.replace('### Added\n\n- A thing.\n', '');
  expect(() => named(empty, '1.1.0', '2026-02-03')).toThrow('CHANGELOG.md has nothing under "Unreleased".');
  expect(() => named(CHANGELOG, '1.0.0', '2026-02-03')).toThrow('CHANGELOG.md has a section for 1.0.0 already.');
  expect(faultsOf('v1.0.0', CHANGELOG, { a: '1.0.0' })).toEqual([]);
  const faults = ['a is 1.0.0, but the tag is v1.1.0.', 'CHANGELOG.md has no text for 1.1.0.'];
  expect(faultsOf('v1.1.0', CHANGELOG, { a: '1.0.0', b: '1.1.0' })).toEqual(faults);
  expect(faultsOf('1.0.0', CHANGELOG, {})).toEqual(['1.0.0 is no tag of a release, v1.2.3.']);
  // A candidate is the latest version until there is a better one.
  expect([distTagOf('1.0.0', CHANGELOG), distTagOf('1.1.0-rc.0', CHANGELOG)]).toEqual(['latest', 'next']);
  expect(distTagOf('1.0.0-rc.1', '## [1.0.0-rc.1] - 2025-12-02\n\n## [1.0.0-rc.0] - 2025-12-01\n')).toBe('latest');
});

test('the versions of this commit agree with each other, and the changelog can be read in two minutes', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const readVersion = (path: string) =>
    (JSON.parse(readFileSync(join(root, path), 'utf8')) as { version: string }).version;
  const version = readVersion('lerna.json');
  const folders = readdirSync(join(root, 'packages'));
  const versions = folders.map((folder) => [folder, readVersion(`packages/${folder}/package.json`)]);
  expect(faultsOf(`v${version}`, changelog, Object.fromEntries(versions))).toEqual([]);
  expect(sectionOf(changelog, version)!.split(/\s+/).length).toBeLessThan(600);
});

describe('npx lerna version', () => {
  let folder: string;
  const MANIFESTS = [
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
    'integration/example/package.json',
    'integration/workspace/package.json',
  ];
  const read = async (path: string) =>
    JSON.parse(await readFile(join(folder, path), 'utf8')) as Record<string, unknown>;
  const git = async (...args: string[]) => {
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    const { stdout } = await run('git', [...own, ...args], { cwd: folder });
    return stdout.trim();
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestwright-release-'));
    for (const path of ['package.json', 'lerna.json', 'scripts/release.js', ...MANIFESTS])
      await cp(join(root, path), join(folder, path), { recursive: true });
    await writeFile(join(folder, 'CHANGELOG.md'), CHANGELOG);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, '.gitignore'), 'node_modules\n');
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '-A');
    await git('commit', '--quiet', '-m', 'chore: start');
    const env = { ...process.env };
    for (const who of ['AUTHOR', 'COMMITTER'])
      Object.assign(env, { [`GIT_${who}_NAME`]: 'a', [`GIT_${who}_EMAIL`]: 'a@example.com' });
    const lerna = join(root, 'node_modules/lerna/dist/cli.js');
    const flags = ['--yes', '--no-push', '--no-sign-git-tag'];
    await run(process.execPath, [lerna, 'version', '9.8.7', ...flags], { cwd: folder, env });
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  test('sets versions and tags them with their text, and the workflow accepts this tag alone', async () => {
    for (const path of MANIFESTS) {
      const { private: isPrivate, version } = await read(path);
      expect([path, version]).toEqual([path, isPrivate ? '0.0.0' : '9.8.7']);
    }
    expect(await read('packages/crud/package.json')).toHaveProperty(
      ['dependencies', '@nestwright/crud-request'],
      '9.8.7',
    );
    expect([await git('tag', '--points-at', 'HEAD'), await git('status', '--porcelain')]).toEqual(['v9.8.7', '']);
    expect(await git('show', 'HEAD:CHANGELOG.md')).toMatch(/^## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n/m);
    const check = (tag: string) =>
      run(process.execPath, ['scripts/release.js', 'check', tag, 'notes.md'], { cwd: folder });
    await check('v9.8.7');
    expect(await readFile(join(folder, 'notes.md'), 'utf8')).toMatch(/^### /);
    await expect(check('v9.8.8')).rejects.toThrow(/lerna\.json is 9\.8\.7, but the tag is v9\.8\.8\./);
  });
});

describe('workflows', () => {
  const read = (path: string) => readFileSync(join(root, '.github', path), 'utf8');
  const workflows = readdirSync(join(root, '.github/workflows')).map((name) => [name, read(`workflows/${name}`)]);
  test.each(workflows)('%s names actions by commit, and grants what it needs', (_name, text = '') => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(action))).toEqual([]);
    expect(text).toMatch(/^permissions:/m);
  });

  test('nothing is published before the checks and the dry run, and what is has its provenance', () => {
    const [, publish = ''] = read('workflows/release.yml').split(/^ {2}publish:$/m);
    expect(publish).toMatch(/^ {4}needs: \[check, dry-run\]$/m);
    expect(publish).toMatch(/^ {6}id-token: write$/m);
    expect(publish).toMatch(/lerna publish from-package .*--dist-tag/);
  });

  test('dependabot knows every lock file', async () => {
    const known = [...read('dependabot.yml').matchAll(/(?:directory: |^ +- )(\/\S*)/gm)].map(([, path]) => path);
    const { stdout } = await run('git', ['ls-files', 'package-lock.json', '**/package-lock.json'], { cwd: root });
    const folders = stdout
      .trim()
      .split('\n')
      .map((file) => file.replace(/\/?package-lock\.json$/, ''));
    expect([...new Set(known)].sort()).toEqual(folders.map((folder) => `/${folder}`).sort());
  });
});
