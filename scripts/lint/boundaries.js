/** In: the tables below, which say who may import whom. Out: the lint configuration that refuses everything else. */

const OPTIONAL_PEERS = ['@nestjs/swagger', 'class-validator', 'class-transformer'];

/** What a package may not import, by name; `message` tells the reader what to do instead. */
const FORBIDDEN_IMPORTS = {
  'crud-request': [{ regex: '^[^.]', message: 'crud-request depends on nothing: it runs in browsers.' }],
  crud: [
    { regex: '^@nestwright/crud-typeorm', message: 'Imports go one way: crud-request ← crud ← crud-typeorm.' },
    { regex: '^typeorm(/|$)', message: 'crud knows no database: say it in terms of plan/catalog.' },
  ],
  'crud-typeorm': [],
};

/** Another package's private files, which its next version may move. */
const PRIVATE_PATHS = [
  { regex: '^@nestwright/[^/]+/', message: 'A package reaches another by its index only.' },
  {
    regex: '^(@nestjs/[^/]+|typeorm|class-transformer|class-validator|rxjs)/',
    message: 'Private paths of other packages are not imported.',
  },
];

/** The one room of crud that knows what is optional and what Nest keeps where. */
const NEST_ROOM = 'packages/crud/src/nest/**/*.ts';

/** The public face of the adapter and its parts, which every room of it serves. */
const SERVICES = [
  'typeorm-read.service.ts',
  'typeorm-text.service.ts',
  'typeorm-crud.service.ts',
  'read-requests.ts',
  'writes-under-hooks.ts',
];

/** room → the rooms of its package that it must not import, whatever a cycle-free graph would allow. */
const FORBIDDEN_ROOMS = {
  'crud-request': {
    'operators.ts': ['syntax', 'ast', 'parse', 'print', 'typed'],
    syntax: ['ast', 'parse', 'print', 'typed', 'request-query.builder.ts', 'request-query.parser.ts'],
    ast: ['parse', 'print', 'request-query.builder.ts', 'request-query.parser.ts'],
    parse: ['print', 'request-query.builder.ts', 'request-query.parser.ts'],
    print: ['parse', 'request-query.builder.ts', 'request-query.parser.ts'],
  },
  crud: {
    errors: [
      'auth',
      'decorators',
      'definition',
      'interceptors',
      'nest',
      'openapi',
      'plan',
      'request',
      'routes',
      'service',
    ],
    diagnostics: [
      'auth',
      'decorators',
      'definition',
      'errors',
      'interceptors',
      'module',
      'nest',
      'openapi',
      'plan',
      'request',
      'response',
      'routes',
      'serialization',
      'service',
      'validation',
    ],
    nest: ['decorators', 'interceptors', 'openapi', 'request', 'serialization', 'validation'],
    plan: [
      'decorators',
      'interceptors',
      'nest',
      'openapi',
      'routes',
      'serialization',
      'service',
      'validation',
      'visibility',
    ],
    request: ['decorators', 'interceptors', 'openapi', 'serialization', 'service', 'visibility'],
    visibility: ['decorators', 'interceptors', 'module', 'openapi', 'request', 'service', 'validation'],
    auth: ['decorators', 'interceptors', 'openapi', 'plan', 'serialization', 'service', 'validation'],
    definition: [
      'decorators',
      'interceptors',
      'openapi',
      'request',
      'serialization',
      'service',
      'validation',
      'visibility',
    ],
    serialization: ['decorators', 'interceptors', 'openapi', 'plan', 'request', 'service', 'validation', 'visibility'],
    openapi: ['decorators', 'interceptors', 'request', 'service'],
    service: ['decorators', 'interceptors', 'nest', 'openapi', 'validation'],
  },
  'crud-typeorm': {
    dialect: ['catalog', 'sql', 'hydrate', 'persist', 'errors', ...SERVICES],
    catalog: ['sql', 'hydrate', 'persist', ...SERVICES],
    sql: ['persist', ...SERVICES],
    hydrate: ['persist', ...SERVICES],
    persist: SERVICES,
    errors: ['sql', 'hydrate', 'persist', ...SERVICES],
  },
};

const optionalPeers = {
  group: OPTIONAL_PEERS,
  message: 'Optional peers are reached through crud/src/nest only, since they may not be installed.',
};

function restricted(patterns) {
  return { 'no-restricted-imports': ['error', { patterns }] };
}

const byName = Object.entries(FORBIDDEN_IMPORTS).map(([name, patterns]) => ({
  files: [`packages/${name}/src/**/*.ts`],
  rules: restricted([...patterns, ...PRIVATE_PATHS, optionalPeers]),
}));

const zones = Object.entries(FORBIDDEN_ROOMS).flatMap(([name, rooms]) =>
  Object.entries(rooms).flatMap(([room, others]) =>
    others.map((other) => ({
      target: `./packages/${name}/src/${room}`,
      from: `./packages/${name}/src/${other}`,
      message: `${name}: ${room} comes before ${other} on the way of a request (docs/architecture.md).`,
    })),
  ),
);

/** @returns {import('eslint').Linter.Config[]} */
export function boundaries(importX) {
  return [
    {
      files: ['packages/*/src/**/*.ts'],
      plugins: { 'import-x': importX },
      rules: {
        'import-x/no-cycle': ['error', { ignoreExternal: true }],
        'import-x/no-self-import': 'error',
        // A relative path out of a package would be a second way around its index.
        'import-x/no-relative-packages': 'error',
      },
    },
    ...byName,
    // The Nest room alone may load what is optional, and look where Nest itself keeps metadata.
    {
      files: [NEST_ROOM],
      rules: restricted([...FORBIDDEN_IMPORTS.crud, PRIVATE_PATHS[0]]),
    },
    {
      files: ['packages/crud/src/plan/**/*.ts'],
      rules: restricted([
        ...FORBIDDEN_IMPORTS.crud,
        ...PRIVATE_PATHS,
        optionalPeers,
        { regex: '^@nestjs/', allowImportNames: ['Logger'], message: 'Planning is pure but for its log.' },
      ]),
    },
    {
      files: ['packages/*/test/**/*.ts', 'integration/**/*.ts'],
      rules: restricted([PRIVATE_PATHS[0]]),
    },
    {
      files: ['packages/*/src/**/*.ts'],
      rules: { 'import-x/no-restricted-paths': ['error', { zones }] },
    },
  ];
}
