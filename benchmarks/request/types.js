/** Compiles a use of the typed builder with an entity of 30 fields and 8 relations; fails where the compiler takes a second or more for it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT = 1;
const ROUNDS = 3;

/** Best time of a check in seconds, by the compiler's own clock. */
function measure(file) {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], noEmit: true };
  const files = [join(root, 'packages/crud-request/test/typed', file)];
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }));
  const times = Array.from({ length: ROUNDS }, () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const report = execFileSync(process.execPath, [tsc, '-p', project, '--extendedDiagnostics'], { encoding: 'utf8' });
    return Number(/Check time:\s+([\d.]+)s/.exec(report)[1]);
  });
  rmSync(folder, { recursive: true });
  return Math.min(...times);
}

// What the compiler spends on the libraries and on this package alone is not the entity's.
const time = measure('benchmark.ts') - measure('benchmark-baseline.ts');
console.log(`types: an entity of 30 fields and 8 relations ${time.toFixed(2)} s`);
if (time >= LIMIT) process.exitCode = 1;
