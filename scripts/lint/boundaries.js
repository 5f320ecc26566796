/** Who may import whom, as rules of the lint. */
import { APART, FLOORS } from './floors.js';

/** What a package may not import, by name; `message` tells the reader what to do instead. */
const FORBIDDEN_IMPORTS = {
  'crud-request': [{ regex: '^[^.]', message: 'crud-request depends on nothing: it runs in browsers.' }],
  client: [
    {
      regex: '^(?!@nestwright/crud-request$)[^.]',
      message: 'The client runs in browsers: it depends on the builder alone.',
    },
  ],
  'react-admin': [
    {
      regex: '^(?!(@nestwright/client|ra-core)$)[^.]',
      message: 'A data provider is a thin layer over the client, with the types of its framework.',
    },
  ],
  refine: [
    {
      regex: '^(?!(@nestwright/(client|crud-request)|@refinedev/core)$)[^.]',
      message: 'A data provider is a thin layer over the client, with the types of its framework.',
    },
  ],
  crud: [
    {
      regex: '^@nestwright/(sql|crud-typeorm)',
      message: 'Imports go one way: crud-request ← crud ← sql ← crud-typeorm.',
    },
    { regex: '^typeorm(/|$)', message: 'crud knows no database: say it in terms of plan/catalog.' },
  ],
  sql: [
    { regex: '^@nestwright/crud-typeorm', message: 'Imports go one way: crud-request ← crud ← sql ← crud-typeorm.' },
    { regex: '^(@nestjs/)?typeorm(/|$)', message: 'SQL knows no ORM: say it in terms of database/.' },
    {
      regex: '^@nestjs/common$',
      allowImportNames: ['HttpException', 'Logger'],
      message: 'Of Nest, SQL knows exceptions and the log.',
    },
  ],
  'crud-typeorm': [],
  'crud-drizzle': [
    { regex: '^(@nestjs/)?typeorm(/|$)', message: 'Drizzle and TypeORM know nothing of each other.' },
    { regex: '^@nestwright/crud-typeorm', message: 'What two ORMs need lies in sql.' },
  ],
  'crud-memory': [
    {
      regex: '^@nestwright/(sql|crud-typeorm|crud-drizzle|testing)|^typeorm(/|$)|^drizzle-orm',
      message: 'Records in memory know no SQL and no ORM.',
    },
  ],
  testing: [
    {
      regex: '^@nestwright/(sql|crud-)(?!request$)|^typeorm(/|$)|^drizzle-orm|^@jest',
      message: 'The kit knows no adapter and no test runner.',
    },
  ],
  'create-nestwright': [{ regex: '^(?!node:)[^.]', message: 'What npm create runs is small: it depends on nothing.' }],
  schematics: [
    { regex: '^(?!node:|@nestjs/schematics$)[^.]', message: "Schematics write text, and know Nest's own alone." },
  ],
  migrate: [
    {
      regex: '^(@nestwright|@nestjs|typeorm)(/|$)',
      message: 'migrate reads projects as text: it runs in none of them.',
    },
  ],
};

/** Another package's private files, which its next version may move. */
const PRIVATE_PATHS = [
  { regex: '^@nestwright/(?!crud/adapter$)[^/]+/', message: 'A package reaches another by its entries only.' },
  {
    regex: '^(@nestjs/[^/]+|typeorm|class-transformer|class-validator|rxjs)/',
    message: 'Private paths of other packages are not imported.',
  },
];

/** The one room of crud that knows what Nest keeps where. */
const NEST_ROOM = 'packages/crud/src/nest/**/*.ts';

/** What decorators of classes mean is known to crud alone, and its plans know no classes. */
const decoratorPackages = {
  group: ['@nestjs/swagger', 'class-validator', 'class-transformer'],
  message: 'Decorators of classes are read by crud, outside of its plans.',
};

function restricted(patterns) {
  return { 'no-restricted-imports': ['error', { patterns }] };
}

const byName = Object.entries(FORBIDDEN_IMPORTS).map(([name, patterns]) => ({
  files: [`packages/${name}/src/**/*.ts`],
  rules: restricted([...patterns, ...PRIVATE_PATHS, ...(name === 'crud' ? [] : [decoratorPackages])]),
}));

const forbiddenTo = (name, room, floor) => [...FLOORS[name].slice(0, floor), ...(APART[name][room] ?? [])];

const zones = Object.entries(FLOORS)
  .flatMap(([name, floors]) =>
    floors.map((room, floor) => ({
      target: `./packages/${name}/src/${room}`,
      from: forbiddenTo(name, room, floor).map((other) => `./packages/${name}/src/${other}`),
      message: `${name}/${room} imports from the rooms below it only (docs/architecture.md).`,
    })),
  )
  .filter(({ from }) => from.length > 0);

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
    // The Nest room alone may look where Nest itself keeps metadata.
    {
      files: [NEST_ROOM],
      rules: restricted([...FORBIDDEN_IMPORTS.crud, PRIVATE_PATHS[0]]),
    },
    {
      files: ['packages/crud/src/plan/**/*.ts'],
      rules: restricted([
        ...FORBIDDEN_IMPORTS.crud,
        ...PRIVATE_PATHS,
        decoratorPackages,
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
