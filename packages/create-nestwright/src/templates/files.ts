/** The files of an application, by their paths. */
import type { Choices } from '../choices.js';
import { ADMIN_FILES } from './admin.js';
import { appModule, appTs, controllerOf, gitignore, mainTs, readme, testTs, tsconfig, withPostgres } from './common.js';
import { DRIZZLE_FILES } from './drizzle.js';
import type { Files } from './files.types.js';
import { packageJson } from './package-json.js';
import { TYPEORM_FILES } from './typeorm.js';

/** @param name of the package */
export function filesOf(name: string, choices: Choices): Files {
  const ofOrm = choices.orm === 'typeorm' ? TYPEORM_FILES : DRIZZLE_FILES;

  return {
    'package.json': packageJson(name, choices),
    'tsconfig.json': tsconfig(choices),
    '.gitignore': gitignore(),
    'README.md': readme(name, choices),
    'src/main.ts': mainTs(choices),
    'src/app.ts': appTs(name, choices),
    'src/app.module.ts': appModule(choices),
    'src/books/books.test.ts': testTs(choices),
    'src/authors/authors.controller.ts': controllerOf('author', choices, '{ join: { books: {} } }'),
    'src/books/books.controller.ts': controllerOf(
      'book',
      choices,
      "{ join: { author: {} }, sort: [{ field: 'title', order: 'ASC' }] }",
    ),
    ...(choices.database === 'postgres' && { 'with-postgres.mjs': withPostgres() }),
    ...ofOrm(choices),
    ...(choices.admin === 'yes' && ADMIN_FILES),
  };
}
