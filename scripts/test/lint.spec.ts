/** The boundaries hold: each import that the architecture forbids is an error of the lint; what it allows, the sources have. */
import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';

/** `rule` must complain. */
type Case = { readonly name: string; readonly file: string; readonly code: string; readonly rule: string };

const [EMPTY, ANY] = ['/** X. */\nexport {};', '/** X. */\n\nexport const x = (y: any) => y;'];
const AROUND = '../../../crud-request/src/index.js';
const CASES: readonly Case[] = [
  forbids('crud-request imports a package', 'crud-request/src/x.ts', 'rxjs'),
  forbids('crud-request imports crud', 'crud-request/src/x.ts', '@nestwright/crud'),
  forbids('crud imports the adapter', 'crud/src/request/x.ts', '@nestwright/crud-typeorm'),
  forbids('crud imports TypeORM', 'crud/src/plan/x.ts', 'typeorm'),
  forbids('crud imports SQL', 'crud/src/store/x.ts', '@nestwright/sql'),
  forbids('SQL imports an adapter', 'sql/src/persist/x.ts', '@nestwright/crud-typeorm'),
  forbids('SQL imports TypeORM', 'sql/src/persist/x.ts', 'typeorm'),
  forbids('SQL imports all of Nest', 'sql/src/errors/x.ts', '@nestjs/common'),
  forbids('migrate imports crud', 'migrate/src/x.ts', '@nestwright/crud'),
  forbids('a deep import of another package', 'crud/src/plan/x.ts', '@nestwright/crud-request/dist/index.js'),
  forbids('a deep import in a test', 'crud/test/x.spec.ts', '@nestwright/crud-request/src/index.js'),
  forbids("a private path of Nest's", 'crud/src/routes/x.ts', '@nestjs/common/constants.js'),
  forbids('class-validator in the plan', 'crud/src/plan/x.ts', 'class-validator'),
  forbids('class-transformer in SQL', 'sql/src/hydrate/x.ts', 'class-transformer'),
  forbids('class-transformer in the adapter', 'crud-typeorm/src/typeorm/x.ts', 'class-transformer'),
  forbids('Nest in the plan', 'crud/src/plan/x.ts', '@nestjs/common'),
  forbids('definitions import the plan', 'crud/src/definition/x.ts', '../plan/read.js', 'import-x/no-restricted-paths'),
  forbids('the plan imports routes', 'crud/src/plan/x.ts', '../routes/route-table.js', 'import-x/no-restricted-paths'),
  forbids('a way around the index', 'crud/src/plan/x.ts', AROUND, 'import-x/no-relative-packages'),
  // The real read.ts imports the real joins.ts.
  forbids('a cycle within a room', 'crud/src/plan/joins.ts', './read.js', 'import-x/no-cycle'),
  forbids('another path beside an entry', 'sql/src/select/x.ts', '@nestwright/crud/adapters'),
  { name: 'an any without a reason', file: 'packages/crud/src/x.ts', code: ANY, rule: 'house/any-with-reason' },
  { name: 'a vague name', file: 'packages/crud/src/sql-utils.ts', code: EMPTY, rule: 'house/telling-file-name' },
];

function forbids(name: string, path: string, source: string, rule = 'no-restricted-imports'): Case {
  const code = `/** X. */\nimport * as x from '${source}';\nexport const y = x;\n`;
  return { name, file: `packages/${path}`, code, rule };
}

/** One process for all cases: the lint needs Node's own module loader, not Jest's. None of the files exists. */
const LINT = `
  import { ESLint } from 'eslint';
  import tseslint from 'typescript-eslint';
  const { disableTypeChecked } = tseslint.configs;
  const overrideConfig = [{ ...disableTypeChecked, files: ['**/*.ts'] }];
  const eslint = new ESLint({ overrideConfig });
  const cases = JSON.parse(process.argv.at(-1));
  const answers = [];
  for (const { file, code } of cases) {
    const [result] = await eslint.lintText(code, { filePath: file });
    answers.push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
  }
  console.log(JSON.stringify(answers));
`;

const command = ['--input-type=module', '-e', LINT, '--', JSON.stringify(CASES)];
const answers: string[][] = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));

test.each(CASES.map((each, at) => ({ ...each, found: answers[at] })))('lint $name', ({ rule, found }) =>
  expect(found).toEqual([rule]),
);
