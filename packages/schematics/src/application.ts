/** The application that a resource is added to, as its files say. */

/** The files of an application, as the CLI hands them over. */
export interface Tree {
  exists(path: string): boolean;
  readText(path: string): string;
  create(path: string, text: string): void;
  overwrite(path: string, text: string): void;
}

export type TestRunner = 'jest' | 'vitest' | 'node';
export type Dialect = 'sqlite' | 'pg' | 'mysql';

export interface Application {
  readonly orm: 'typeorm' | 'drizzle';
  /** Of Drizzle's tables. */
  readonly dialect: Dialect;
  /** What a relative import ends in: `.js` in ES modules. */
  readonly extension: '' | '.js';
  readonly testRunner: TestRunner;
}

interface Manifest {
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const DIALECTS: readonly (readonly [driver: string, dialect: Dialect])[] = [
  ['pg', 'pg'],
  ['postgres', 'pg'],
  ['@electric-sql/pglite', 'pg'],
  ['mysql2', 'mysql'],
];

/** @throws Error if neither of the services is installed */
export function applicationIn(tree: Tree): Application {
  const { type, dependencies, devDependencies } = JSON.parse(tree.readText('/package.json')) as Manifest;
  const installed = { ...dependencies, ...devDependencies };
  const orm = (['typeorm', 'drizzle'] as const).find((each) => `@nestwright/crud-${each}` in installed);
  if (!orm) {
    throw new Error(
      'package.json names neither @nestwright/crud-typeorm nor @nestwright/crud-drizzle: install @nestwright/crud and one of them first',
    );
  }

  return {
    orm,
    dialect: DIALECTS.find(([driver]) => driver in installed)?.[1] ?? 'sqlite',
    extension: type === 'module' ? '.js' : '',
    testRunner: (['vitest', 'jest'] as const).find((each) => each in installed) ?? 'node',
  };
}
