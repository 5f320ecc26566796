/** In: `--nest 11|12 --typeorm 0.3|0.3.20|1 --mysql2 2.2.5 --pg 8.5.1`, and `--prefer-offline` for npm. Installs those lines of the peers in place of the workspace's, for one row of the test matrix. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const DRIVERS = ['mysql2', 'pg'];
const names = ['nest', 'typeorm', ...DRIVERS];
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    'prefer-offline': { type: 'boolean', default: false },
  },
});

/** package → the range that stands for the wanted line of it. */
const wanted = new Map();
if (values.nest) {
  const parts = [
    'common',
    'core',
    'platform-express',
    'platform-fastify',
    'microservices',
    'swagger',
    'testing',
    'typeorm',
  ];
  for (const name of parts) wanted.set(`@nestjs/${name}`, `^${values.nest}.0.0`);
}
// A full version is that version; `1` stands for ^1.0.0, `0.3` for ^0.3.0.
if (values.typeorm) {
  const dots = values.typeorm.split('.').length - 1;
  wanted.set('typeorm', dots === 2 ? values.typeorm : `^${values.typeorm}${'.0'.repeat(2 - dots)}`);
}

for (const name of DRIVERS) if (values[name]) wanted.set(name, values[name]);

// The manifests say the other versions while npm reads them, so that it installs one copy of each and no second one beside it.
const manifests = [
  'package.json',
  ...['example', 'workspace', 'drizzle'].map((name) => `integration/${name}/package.json`),
];
const originals = await Promise.all(manifests.map((path) => readFile(path, 'utf8')));
try {
  for (const [at, path] of manifests.entries()) {
    const manifest = JSON.parse(originals[at]);
    for (const group of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
      for (const name of Object.keys(group)) group[name] = wanted.get(name) ?? group[name];

    await writeFile(path, JSON.stringify(manifest, null, 2));
  }
  const { status } = spawnSync(
    'npm',
    [
      ...['install', '--no-package-lock', '--force', '--no-audit', '--no-fund'],
      ...(values['prefer-offline'] ? ['--prefer-offline'] : []),
    ],
    {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  );
  process.exitCode = status ?? 1;
} finally {
  for (const [at, path] of manifests.entries()) await writeFile(path, originals[at]);
}
