/** In: the package in the current folder, whose `prepack` this is. Refuses (exit code 1) where a file that its manifest names is not built, or is older than a source. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const modified = (path) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
const pathsIn = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(pathsIn));

const { name, bin, exports, main, types } = JSON.parse(await readFile('package.json', 'utf8'));
const sources = (await readdir('src', { recursive: true })).map((path) => join('src', path));
const newest = Math.max(...(await Promise.all(sources.map(modified))));

const faults = [];
for (const path of new Set(pathsIn([bin, exports, main, types]))) {
  const time = await modified(path);
  if (time === undefined) faults.push(`${path} does not exist`);
  else if (/^(\.\/)?dist\//.test(path) && time < newest) faults.push(`${path} is older than the sources`);
}
if (faults.length > 0) {
  console.error(`${name} cannot be packed: ${faults.join(', ')}. Run "npm run build" first.`);
  process.exitCode = 1;
}
