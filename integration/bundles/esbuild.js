/** What esbuild is told to bundle an application that uses Nest and TypeORM; see docs/bundling.md. */
import { readFile } from 'node:fs/promises';

/** Packages that others load by name only where an application uses them. */
export const EXTERNAL = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer/storage',
  '@fastify/static',
  ...[
    'mysql',
    'mysql2',
    'pg',
    'pg-native',
    'pg-query-stream',
    'oracledb',
    'mssql',
    'better-sqlite3',
    'sqlite3',
    'sql.js',
  ],
  ...['mongodb', 'redis', 'ioredis', 'react-native-sqlite-storage', 'typeorm-aurora-data-api-driver'],
  ...['@sap/hana-client', '@google-cloud/spanner', 'hdb-pool'],
].flatMap((name) => [name, `${name}/*`]);

/** What a bundle begins with, so that it has what modules of the other format expect; names that no module has. */
const OPENINGS = {
  cjs: {
    define: { 'import.meta.url': 'bundle_url' },
    banner: { js: "const bundle_url = require('node:url').pathToFileURL(__filename).href;" },
  },
  esm: {
    banner: {
      js: [
        "import { createRequire as bundle_require } from 'node:module';",
        'const require = bundle_require(import.meta.url);',
        'const __filename = import.meta.filename;',
        'const __dirname = import.meta.dirname;',
      ].join('\n'),
    },
  },
};

/** @nestjs/mapped-types 12 has a `require` of its own, which esbuild does not follow: it would find no class-validator in a bundle. */
export const mappedTypes = {
  name: 'mapped-types',
  setup({ onLoad }) {
    onLoad({ filter: /@nestjs[\\/]mapped-types[\\/].*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');

      return { contents: source.replace('const require = createRequire(import.meta.url);', '') };
    });
  },
};

/** esbuild's options for a format, and for packages that stay outside. */
export function esbuildOptions(format, outside = []) {
  return {
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    external: [...EXTERNAL, ...outside],
    keepNames: true,
    plugins: [mappedTypes],
    logLevel: 'silent',
    ...OPENINGS[format],
  };
}
