import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Choices } from '../src/choices.js';
import { run } from '../src/command.js';
import { createApplication } from '../src/create-application.js';
import { packageJson } from '../src/templates/package-json.js';
import { install, makeAsker } from '../src/terminal.js';

const SIMPLEST: Choices = { nest: '12', orm: 'typeorm', database: 'sqlite', admin: 'no' };

let home: string;
beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'create-nestwright-'))));
afterAll(() => rm(home, { recursive: true }));

describe('the folder', () => {
  test('is made, or may be there, and is named in package.json', async () => {
    await mkdir(join(home, 'deep/My-Api'), { recursive: true });
    const paths = await createApplication(join(home, 'deep/My-Api'), SIMPLEST);
    const written = await readdir(join(home, 'deep/My-Api'), { recursive: true, withFileTypes: true });
    expect(written.filter((entry) => entry.isFile()).length).toBe(paths.length);
    const manifest = await readFile(join(home, 'deep/My-Api/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ name: 'my-api' });
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

describe('the command', () => {
  /** What it says, of which folders it runs npm, and what it asks. */
  const command = async (args: readonly string[], answers?: readonly string[], isInstalled = true) => {
    const said: string[] = [];
    const installed: string[] = [];
    const questions: string[] = [];
    const left = [...(answers ?? [])];
    const ask = (question: string, usual: string) => {
      questions.push(question);
      return Promise.resolve(left.shift() ?? usual);
    };
    await run(args, {
      say: (line) => said.push(line),
      makeAsker: answers && (() => Object.assign(ask, { close: () => questions.push('closed') })),
      install: (folder) => installed.push(folder) > 0 && isInstalled,
    });
    return { said: said.join(''), installed, questions };
  };
  const choicesOf = async (folder: string) => {
    const files = await readdir(folder, { recursive: true });
    return [files.includes('admin'), await readFile(join(folder, 'package.json'), 'utf8')];
  };

  test('makes what its options name, and says what is next', async () => {
    const folder = join(home, 'a');
    const options = ['--orm', 'drizzle', '--database=mariadb', '--admin', 'no', '--no-install', '--yes'];
    expect(await command([folder, ...options], [])).toEqual({
      said: `
14 files in ${folder}

  cd ${folder}
  npm install
  docker run -d -p 3306:3306 -e MARIADB_ALLOW_EMPTY_ROOT_PASSWORD=1 -e MARIADB_DATABASE=app mariadb
  export DATABASE_URL=mysql://root@127.0.0.1:3306/app
  npm start          http://localhost:3000/docs
  npm test
`,
      installed: [],
      questions: [],
    });
    const manifest = packageJson('a', { ...SIMPLEST, orm: 'drizzle', database: 'mariadb' });
    expect(await choicesOf(folder)).toEqual([false, manifest]);
  });

  test('asks for what no option names, and installs', async () => {
    const folder = join(home, 'b');
    const { said, installed, questions } = await command(['--nest', '11'], [folder, 'typeorm', 'oracle', 'postgres']);
    const database = 'Database: sqlite, postgres, mariadb';
    const asked = ['Folder', 'ORM: typeorm, drizzle', database, database, 'With an admin at /admin: yes, no', 'closed'];
    expect([installed, questions]).toEqual([[folder], asked]);
    expect(said).toContain(`
  cd ${folder}
  npm start          http://localhost:3000/docs and http://localhost:3000/admin
`);
    const manifest = packageJson('b', { nest: '11', orm: 'typeorm', database: 'postgres', admin: 'yes' });
    expect(await choicesOf(folder)).toEqual([true, manifest]);
  });

  test('takes first values where nobody answers, and tells that npm failed', async () => {
    const folder = join(home, 'c');
    const failure = `npm install failed in ${folder}: try it again there`;
    await expect(command([folder], undefined, false)).rejects.toThrow(failure);
    expect(await choicesOf(folder)).toEqual([true, packageJson('c', { ...SIMPLEST, admin: 'yes' })]);
    const before = process.cwd();
    process.chdir(home);
    await command(['--yes']).finally(() => process.chdir(before));
    expect(await readdir(home)).toContain('my-api');
  });

  test('tells its options, and refuses a second folder', async () => {
    expect((await command(['--help'])).said).toContain(`
  --nest <12|11>                        Version of NestJS
  --orm <typeorm|drizzle>               ORM
`);
    await expect(command(['a', 'b'])).rejects.toThrow('One folder expected, not a, b');
  });

  test.each([
    [['-h'], 'stdout', /^npm create nestwright@latest .*\n$/s, undefined],
    [['--orm', 'none', '-y'], 'stderr', /^--orm is "none", .*\n$/, 1],
  ] as const)('as a process, prints and ends: %j', async (args, stream, text, code) => {
    const { argv, exitCode } = process;
    const write = jest.spyOn(process[stream], 'write').mockReturnValue(true);
    process.argv = ['node', 'create-nestwright', ...args];
    await import(`../src/cli.ts?${args[0]}`);
    const [written, ended] = [write.mock.calls, process.exitCode];
    Object.assign(process, { argv, exitCode });
    write.mockRestore();
    expect([written, ended]).toEqual([[[expect.stringMatching(text)]], code]);
  });

  test('reads answers from a terminal, and leaves at its end', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let left = 0;
    const ask = makeAsker(input, output, () => (left += 1));
    const answers = [];
    for (const answer of [' drizzle ', '']) {
      const asked = ask('ORM', 'typeorm');
      input.write(`${answer}\n`);
      answers.push(await asked);
    }
    const other = makeAsker(new PassThrough(), new PassThrough(), () => (left += 10));
    other.close();
    input.end();
    output.end();
    expect(await text(output)).toBe('ORM (typeorm): ORM (typeorm): ');
    expect([answers, left]).toEqual([['drizzle', 'typeorm'], 1]);
  });

  test('runs npm, and knows whether it succeeded', async () => {
    await writeFile(join(home, '.npmrc'), 'loglevel=silent\naudit=false\nfund=false\nupdate-notifier=false\n');
    for (const code of [0, 3]) {
      await writeFile(join(home, 'package.json'), `{"scripts":{"preinstall":"exit ${code}"}}`);
      expect(install(home)).toBe(code === 0);
    }
    expect(await readdir(home)).toContain('package-lock.json');
  });
});
