/**
 * What a release does to CHANGELOG.md, and what must agree before anything is published.
 *
 * node scripts/release.js name              "Unreleased" becomes the version of lerna.json, of today; `lerna version` calls it
 * node scripts/release.js tag v1.2.3        prints the dist-tag of npm that the version is published under
 * node scripts/release.js check v1.2.3 out  refuses (exits with 1) a tag that the versions or the changelog do not agree with; writes the text of the release
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';

/** The section of a version, without its heading; undefined where there is none. */
export function sectionOf(changelog, version) {
  const [, after] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*\\n`, 'm'));

  return after?.split(/^## \[/m)[0].trim();
}

/** The changelog with its unreleased section under a version. Refuses one that says nothing, and a version that is there. */
export function named(changelog, version, date) {
  if (!sectionOf(changelog, 'Unreleased')) throw new Error(`${CHANGELOG} has nothing under "Unreleased".`);
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`${CHANGELOG} has a section for ${version} already.`);

  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

/** `latest`; `next` for a candidate, once there is a version that is none: `npm install` without a version must find one. */
export function distTagOf(version, changelog) {
  const isCandidate = version.includes('-');

  return isCandidate && /^## \[\d+\.\d+\.\d+\]/m.test(changelog) ? 'next' : 'latest';
}

/** What does not agree with a tag: one line each. */
export function faultsOf(tag, changelog, versions) {
  const version = tag.replace(/^v/, '');
  const others = Object.entries(versions).filter(([, each]) => `v${each}` !== tag);
  const section = sectionOf(changelog, version);

  return [
    ...(/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag) ? [] : [`${tag} is no tag of a release, v1.2.3.`]),
    ...others.map(([name, each]) => `${name} is ${each}, but the tag is ${tag}.`),
    ...(section ? [] : [`${CHANGELOG} has no text for ${version}.`]),
    ...(/^## \[Unreleased\]/m.test(changelog) ? [] : [`${CHANGELOG} has no section "Unreleased".`]),
  ];
}

/** Versions of lerna.json and of what is published. */
function versionsIn(root) {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const packages = readdirSync(join(root, 'packages')).map((name) => read(`packages/${name}/package.json`));

  return Object.fromEntries([
    ['lerna.json', read('lerna.json').version],
    ...packages.map(({ name, version }) => [name, version]),
  ]);
}

function run([command, tag = '', out]) {
  const changelog = readFileSync(CHANGELOG, 'utf8');
  const versions = versionsIn('.');
  if (command === 'name') {
    writeFileSync(CHANGELOG, named(changelog, versions['lerna.json'], new Date().toISOString().slice(0, 10)));
  } else if (command === 'check') {
    const faults = faultsOf(tag, changelog, versions);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    if (out) writeFileSync(out, `${sectionOf(changelog, tag.slice(1))}\n`);
  } else if (command === 'tag') {
    console.log(distTagOf(tag.slice(1), changelog));
  } else {
    throw new Error('node scripts/release.js name | tag <tag> | check <tag> [file]');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    run(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
