/** Three applications written for nestjsx/crud and @dataui/crud: the command moves them, they compile, and answer as before. What differs is a row of `DIFFERENCES`, which docs/migration-reads.md and docs/migration-writes.md tell. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { installPackages } from '../../scripts/application.js';
import { DIFFERENCES } from './differences.js';
import { MARKS } from './marks.js';
import { APPLICATIONS, ask, compileAll, copyAll, filesIn, folderOf, move, removeAll } from './projects.js';

const home = import.meta.dirname;
const used = new Set();
const printed = {};

before(() => {
  installPackages(home);
  copyAll();
});

after(removeAll);

describe('the command', () => {
  for (const name of APPLICATIONS) {
    it(`moves ${name}`, () => {
      const untouched = filesIn(folderOf(name, 'after'));
      assert.match(move(name, '--dry-run'), /would change; nothing was written\./);
      assert.deepEqual(filesIn(folderOf(name, 'after')), untouched);

      printed[name] = move(name);
      const moved = filesIn(folderOf(name, 'after'));
      assert.deepEqual(
        moved.filter(([, text]) => /@nestjsx\/|@dataui\//.test(text)).map(([path]) => path),
        [],
      );
      assert.match(move(name), /^Nothing names nestjsx\/crud/);
      assert.deepEqual(filesIn(folderOf(name, 'after')), moved);
    });

    it(`tells what a person must look at in ${name}`, () => {
      const [, told = ''] = /^For a person to look at: \d+\n((?: {2}.+\n)*)/m.exec(printed[name]) ?? [];
      const lines = told.split('\n').map((line) => line.trim().replace(/; see https.*/, ''));
      assert.deepEqual(lines.filter(Boolean), MARKS[name]);
    });
  }

  for (const when of ['before', 'after']) {
    it(`leaves what compiles, as it does ${when} it`, () => {
      assert.deepEqual(compileAll(when), []);
    });
  }
});

describe('the same requests', () => {
  for (const name of APPLICATIONS) {
    it(`to ${name} have the same answers`, async () => {
      const [were, are] = await Promise.all([ask(name, 'before'), ask(name, 'after')]);
      const untold = [];
      // Front ends print queries in ways of their own, before and after.
      for (const [at, { asked, ...was }] of were.entries()) {
        const { asked: _, ...is } = are[at];
        if (isDeepStrictEqual(was, is)) continue;
        const row = DIFFERENCES.find((each) => each.application === name && each.asked.test(asked));
        if (row) used.add(row);
        else untold.push(`${asked}\n  ${JSON.stringify(was)}\n  ${JSON.stringify(is)}`);
      }
      assert.equal(untold.join('\n'), '');
      // An application that answers nothing but errors would be alike, too.
      assert.ok(were.filter(({ status }) => status < 300).length > were.length / 2);
    });
  }

  after(() => {
    const pages = ['migration-reads.md', 'migration-writes.md'];
    const guide = pages.map((page) => readFileSync(join(home, '../../docs', page), 'utf8')).join('\n');
    for (const row of DIFFERENCES.filter(({ application }) => APPLICATIONS.includes(application))) {
      assert.ok(used.has(row), `no answer shows any more that: ${row.told}`);
      assert.ok(guide.includes(row.told), `no page of the guide tells: ${row.told}`);
    }
  });
});
