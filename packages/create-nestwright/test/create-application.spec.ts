import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { choose } from '../src/choose.js';
import { CHOICES, type Choices } from '../src/choices.js';
import { createApplication } from '../src/create-application.js';
import { filesOf } from '../src/templates/files.js';
import type { Files } from '../src/templates/files.types.js';

const COMBINATIONS: Choices[] = CHOICES.nest
  .flatMap((nest) => CHOICES.orm.map((orm) => ({ nest, orm })))
  .flatMap((some) => CHOICES.database.map((database) => ({ ...some, database })))
  .flatMap((some) => CHOICES.admin.map((admin) => ({ ...some, admin })));
const SIMPLEST: Choices = { nest: '12', orm: 'typeorm', database: 'sqlite', admin: 'no' };

/** What the sources of an application import, by file. */
const importsOf = (files: Files) =>
  Object.entries(files)
    .filter(([file]) => /\.(tsx?|mjs)$/.test(file))
    .flatMap(([file, text]) =>
      ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({ file, name: fileName })),
    );
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test.each(COMBINATIONS)('Nest $nest, $orm, $database, admin: $admin: imports lead somewhere', (choices) => {
  const files = filesOf('my-api', choices);
  const imports = importsOf(files);
  expect(Object.keys(files).length).toBeLessThanOrEqual(20);
  const { dependencies, devDependencies } = JSON.parse(files['package.json']!) as Record<string, object>;
  const declared = Object.keys({ ...dependencies, ...devDependencies });
  const imported = imports.map(({ name }) => name).filter((name) => !name.startsWith('.') && !isBuiltin(name));
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.map(packageOf).filter((name) => !declared.includes(name))).toEqual([]);
  const missing = imports
    .filter(({ name }) => name.startsWith('.'))
    .filter(({ file, name }) => !(normalize(join(dirname(file), name)).replace(/\.js$/, '.ts') in files));
  expect(missing).toEqual([]);
});

describe('the folder', () => {
  let home: string;
  beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'create-nestwright-'))));
  afterAll(() => rm(home, { recursive: true }));
  test('is made, and named in package.json', async () => {
    const paths = await createApplication(join(home, 'deep/My-Api'), SIMPLEST);
    const written = await readdir(join(home, 'deep/My-Api'), { recursive: true, withFileTypes: true });
    expect(written.filter((entry) => entry.isFile()).length).toBe(paths.length);
    const manifest = await readFile(join(home, 'deep/My-Api/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ name: 'my-api' });
  });

  test('may be there, if it is empty', async () => {
    await mkdir(join(home, 'empty'));
    expect(await createApplication(join(home, 'empty'), SIMPLEST)).toContain('package.json');
  });

  test('is refused if something is in it, and nothing is written', async () => {
    await mkdir(join(home, 'full'));
    await writeFile(join(home, 'full/notes.txt'), 'mine');
    await expect(createApplication(join(home, 'full'), SIMPLEST)).rejects.toThrow('is not empty');
    expect(await readdir(join(home, 'full'))).toEqual(['notes.txt']);
  });

  test.each(['my api', '..x y', "it's", '-a'])('is refused if no package can have its name: %s', async (name) => {
    const message = `${name} cannot be the name of a package`;
    await expect(createApplication(join(home, name), SIMPLEST)).rejects.toThrow(message);
  });
});

/** Answers one after the other, and keeps the questions. */
function answering(...answers: string[]) {
  const questions: string[] = [];
  const ask = (question: string, usual: string) => {
    questions.push(question);
    return Promise.resolve(answers.shift() ?? usual);
  };
  return { questions, ask };
}

test('a choice is what an option said, and nothing is asked', async () => {
  const { questions, ask } = answering('postgres');
  expect([await choose('database', 'mariadb', ask), questions]).toEqual(['mariadb', []]);
});

test('a choice is asked for until the answer is a value', async () => {
  const { questions, ask } = answering('oracle', '', 'postgres');
  expect(await choose('database', undefined, ask)).toBe('postgres');
  expect(questions).toEqual(Array(3).fill('Database: sqlite, postgres, mariadb'));
});

test('a choice is its first value where nobody answers', async () => {
  expect(await choose('nest', undefined, undefined)).toBe('12');
  expect(await choose('orm', undefined, answering().ask)).toBe('typeorm');
});

test('a choice refuses an option that is no value', async () => {
  const message = '--orm is "prisma", but must be one of: typeorm, drizzle';
  await expect(choose('orm', 'prisma', undefined)).rejects.toThrow(message);
});
