/** After `tsc -b`: makes each dist/cjs a CommonJS package, and puts every `x.require` twin in the place of its ES module `x`. */
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const packages = (await readdir('packages')).map((name) => join('packages', name, 'dist/cjs'));

for (const folder of packages) {
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  // What only an ES module can say (top-level await) has a CommonJS twin beside it. The compiler resolves to the twin by its
  // `moduleSuffixes`, but prints the import as written; hence the copy under the plain name.
  for (const path of await readdir(folder, { recursive: true })) {
    if (/\.require\.(js|d\.ts)$/.test(path)) {
      await copyFile(join(folder, path), join(folder, path.replace('.require.', '.')));
    }
  }
}
