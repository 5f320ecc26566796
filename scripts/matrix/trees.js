/** Makes temporary copies of the working tree with given versions of the peers, and compiles the example in them as its users' applications are. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const TSC = 'node_modules/typescript/bin/tsc';
const windows = process.platform === 'win32';

/** Runs a program in a folder, its output to this one's; answers its exit code. */
export function run(folder, program, args, env = {}) {
  const { status } = spawnSync(program, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: windows,
  });
  return status ?? 1;
}

/** The path of a binary of the last release of a line of Node.js, which npm's packages `node-<platform>-<arch>` bring. */
export function installNode(line, home) {
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = join(home, line);
  const status = run(home, 'npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${line}`]);
  if (status !== 0) throw new Error(`npm has no ${name}@${line}`);
  return join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
}

function must(folder, program, args) {
  if (run(folder, program, args) !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

/**
 * Copies what git tracks or would track, as it stands now, and installs the versions.
 *
 * @param brief keeps what is installed as far as the versions allow, and asks the registry for little: in a fifth of the time, but without the newest of everything
 */
export async function makeTree(name, versions, brief = false) {
  const tree = await mkdtemp(join(tmpdir(), `nestwright-${name}-`));
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 1 << 26 });
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
  for (const path of `${listed.stdout}`.split('\0')) {
    // A link of this name is no folder to git, and must not be installed into.
    if (path === '' || path === 'node_modules') continue;
    await mkdir(dirname(join(tree, path)), { recursive: true });
    // A file may be deleted in the working tree and not yet in git.
    await cp(join(root, path), join(tree, path)).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  if (brief) await linkInstalled(tree);
  const flags = Object.entries(versions).flatMap(([peer, version]) => [`--${peer}`, version]);
  if (brief) flags.push('--prefer-offline');
  must(tree, process.execPath, ['scripts/install-peers.js', ...flags]);
  return tree;
}

/** Gives a tree the files of the installed packages, of which npm then replaces those of other versions; where they cannot be linked it installs all. */
async function linkInstalled(tree) {
  const modules = join(tree, 'node_modules');
  const { status } = spawnSync('cp', ['-al', join(root, 'node_modules'), modules]);
  if (status !== 0) return rm(modules, { recursive: true, force: true });

  // npm writes to this one as it stands.
  const lock = '.package-lock.json';
  await rm(join(modules, lock));
  await cp(join(root, 'node_modules', lock), join(modules, lock));
}

export const removeTree = (tree) => rm(tree, { recursive: true, force: true });

/** The packages as they are published: compiled once, with the newest peers, whatever they are used with later. */
export const buildPackages = (tree) => must(tree, 'npm', ['run', '--silent', 'build']);

/** Puts the compiled packages of one tree (by default the working tree) into another. */
export async function takePackages(tree, from = root) {
  for (const name of await readdir(join(root, 'packages'))) {
    const dist = join('packages', name, 'dist');
    if (tree !== from) await cp(join(from, dist), join(tree, dist), { recursive: true });
  }
}

const FORMATS = {
  esm: { package: 'module', compiler: { module: 'nodenext', moduleResolution: 'nodenext' } },
  cjs: { package: 'commonjs', compiler: { module: 'commonjs', moduleResolution: 'bundler' } },
};

/** Compiles the example against the compiled packages and the installed peers, types and all; answers the path of its `app.js`. */
export async function compileExample(tree, format) {
  const example = join(tree, 'integration/example');
  const sources = join(example, `matrix-src-${format}`);
  const output = join('dist', `matrix-${format}`);
  await rm(sources, { recursive: true, force: true });
  await cp(join(example, 'src'), sources, { recursive: true });
  // Its top-level await has no place in CommonJS; the suites start the application themselves.
  await rm(join(sources, 'main.ts'));

  const config = join(example, `tsconfig.matrix-${format}.json`);
  const compilerOptions = {
    ...FORMATS[format].compiler,
    ...{
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      sourceMap: false,
      // The packages are found as an application finds them, by their manifests.
      paths: {},
      rootDir: sources,
      outDir: output,
    },
  };
  const scope = { include: [sources], references: [] };
  await writeFile(config, JSON.stringify({ extends: './tsconfig.json', compilerOptions, ...scope }));
  await mkdir(join(example, output), { recursive: true });
  await writeFile(join(example, output, 'package.json'), JSON.stringify({ type: FORMATS[format].package }));
  must(tree, process.execPath, [TSC, '-p', config]);
  checkDeclarations(tree, config);
  return join(example, output, 'app.js');
}

/** Refuses errors in the declarations of the packages, as users find them who check libraries; other libraries' declarations are theirs. */
function checkDeclarations(tree, config) {
  const flags = ['--noEmit', '--skipLibCheck', 'false', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', config, ...flags], { cwd: tree, maxBuffer: 1 << 26 });
  const errors = `${stdout}`.split('\n').filter((line) => /packages[\\/][^\\/]+[\\/]dist[\\/]|@nestwright/.test(line));
  if (errors.length > 0) throw new Error(`The declarations do not compile:\n${errors.join('\n')}`);
}
