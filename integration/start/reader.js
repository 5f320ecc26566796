/** Does what docs/start.md says in an empty folder, with this repository's packages in place of the published ones. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Who is asked whether npx may install the CLI says yes.
const ENV = { ...process.env, npm_config_yes: 'true' };

/** Runs the commands but the last, which serves; `cd` changes the folder, as in a shell. Answers the folder. */
export function prepare(folder, commands, packages) {
  let here = folder;
  for (const command of commands) {
    if (command.startsWith('cd ')) {
      here = join(here, command.slice(3));
      continue;
    }
    const local = command
      .split(' ')
      .map((word) => packages.get(word) ?? word)
      .join(' ');
    const { status, stdout, stderr } = spawnSync(local, { cwd: here, shell: true, encoding: 'utf8', env: ENV });
    if (status !== 0) throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
  }

  return here;
}

export function write(folder, files) {
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
}

/** What `nest new` writes besides the files that the page replaces, as far as these need it. */
const PROJECT = new Map([
  ['package.json', JSON.stringify({ private: true, type: 'module', scripts: { start: 'tsc && node dist/main.js' } })],
  [
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        module: 'nodenext',
        rootDir: 'src',
        outDir: 'dist',
        strict: true,
        skipLibCheck: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        types: ['node'],
      },
      include: ['src'],
    }),
  ],
  ['src/app.service.ts', 'export class AppService {}\n'],
  [
    'src/app.controller.ts',
    `import { Controller, Get } from '@nestjs/common';

@Controller()
export class AppController {
  @Get()
  getHello() {
    return 'Hello World!';
  }
}
`,
  ],
]);

/** A project that finds what it depends on in a folder above it. */
export const writeProject = (folder) => write(folder, PROJECT);
