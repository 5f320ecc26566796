/** Applications in one file, as esbuild and webpack make it, with nothing installed beside it but the driver of the database: they guard their records, or do not start. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile, installPackages } from '../../scripts/application.js';
import { TESTS_ALL } from '../../scripts/node-tests.js';
import { attack, GUARDED } from './attack.js';
import { BUNDLERS } from './bundlers.js';

/** The sources' format and the bundle's. */
const FORMATS = TESTS_ALL
  ? [
      ['esm', 'esm'],
      ['esm', 'cjs'],
      ['cjs', 'cjs'],
    ]
  : [['esm', 'esm']];

const NEST_LINES = TESTS_ALL ? ['nest11', 'nest12'] : ['nest12'];

/** What our packages import of others. */
const PEERS = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/swagger', '@nestjs/typeorm', 'typeorm', 'rxjs', 'reflect-metadata'],
  ...['class-transformer', 'class-validator'],
];

/** What is said of our packages: what others warn of is theirs. */
const ours = (warnings) => warnings.filter((text) => text.includes('@nestwright'));

for (const nest of NEST_LINES) {
  describe(nest, () => {
    const folder = join(import.meta.dirname, nest);
    let home, project;

    before(() => {
      installPackages(folder);
      home = mkdtempSync(join(tmpdir(), 'nestwright-bundles-'));
      // Nothing may be found in the workspace above, nor anything but the driver beside a bundle.
      project = join(home, 'project');
      for (const [from, to] of [
        ['node_modules', 'project/node_modules'],
        ['node_modules/sql.js', 'node_modules/sql.js'],
      ]) {
        mkdirSync(dirname(join(home, to)), { recursive: true });
        symlinkSync(join(folder, from), join(home, to), 'junction');
      }
    });
    after(() => rmSync(home, { recursive: true, force: true }));

    const bundled = async (bundler, [from, to], options) => {
      const outfile = join(home, `app-${bundler}-${from}.${to === 'esm' ? 'mjs' : 'cjs'}`);
      const out = join(project, 'dist', `app-${from}`);
      compile([join(import.meta.dirname, 'app')], out, from);
      const { warnings } = await BUNDLERS[bundler](join(out, 'main.js'), outfile, to, [], options);

      assert.deepEqual(ours(warnings), []);

      return outfile;
    };

    for (const bundler of Object.keys(BUNDLERS)) {
      for (const formats of FORMATS) {
        it(`guards its records, by ${bundler}, from ${formats.join(' to ')}`, async () => {
          assert.deepEqual(await attack(await bundled(bundler, formats)), GUARDED);
        });
      }
    }

    for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
      const entry = (name, text) => {
        const path = join(project, `${name}.mjs`);
        writeFileSync(path, text);

        return path;
      };

      it(`our packages alone, by ${bundler}`, async () => {
        const main = entry('packages', "export * from '@nestwright/crud'; export * from '@nestwright/crud-typeorm';");
        const { warnings } = await bundle(main, join(home, 'packages.mjs'), 'esm', PEERS);

        assert.deepEqual(ours(warnings), []);
      });

      it(`what nobody uses is not taken, by ${bundler}`, async () => {
        const taken = async (name, text) => {
          const { modules } = await bundle(entry(name, text), join(home, `${name}-${bundler}.mjs`), 'esm');

          return new Set(modules.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
        };

        const builder = await taken(
          'builder',
          "import { RequestQueryBuilder } from '@nestwright/crud-request'; console.log(RequestQueryBuilder);",
        );
        assert.deepEqual([...builder], ['@nestwright/crud-request']);
        const groups = await taken(
          'groups',
          "import { CrudValidationGroups } from '@nestwright/crud'; import '@nestwright/crud-typeorm'; console.log(CrudValidationGroups);",
        );
        assert.equal(groups.has('@nestwright/crud'), true);
        assert.deepEqual(
          ['typeorm', '@nestjs/typeorm', '@nestwright/crud-typeorm', '@nestwright/sql'].filter((name) =>
            groups.has(name),
          ),
          [],
        );
      });
    }

    it('minified, with the names of classes', async () => {
      const outfile = await bundled('esbuild', ['esm', 'esm'], { minify: true });
      assert.deepEqual(await attack(outfile), GUARDED);
    });

    it('does not start where webpack takes another build of class-transformer than the library and mapped types', async () => {
      const outfile = await bundled('webpack', ['esm', 'cjs'], { resolve: { symlinks: false } });
      await assert.rejects(
        attack(outfile),
        /decorators of class-transformer cannot be read[^]+UserView is a mapped type \(PickFaceIdEmailPhone\)/,
      );
    });

    if (nest === 'nest12' && TESTS_ALL) {
      for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
        for (const to of ['cjs', 'esm']) {
          it(`answers events of API Gateway, by ${bundler} to ${to}`, async () => {
            const out = join(project, 'dist', 'lambda');
            compile(
              ['app', 'lambda'].map((name) => join(import.meta.dirname, name)),
              out,
              'esm',
            );
            const outfile = join(home, `lambda-${bundler}.${to === 'esm' ? 'mjs' : 'cjs'}`);
            await bundle(join(out, 'handler.js'), outfile, to);
            const told = execFileSync(process.execPath, [join(import.meta.dirname, 'invoke.js'), outfile], {
              encoding: 'utf8',
            });
            const { answers } = JSON.parse(told.trim().split('\n').at(-1));

            const [invalid, created, listed, filtered] = answers;
            assert.deepEqual([invalid[0], invalid[1].code, invalid[1].field], [400, 'CRUD_INVALID_BODY', 'email']);
            assert.deepEqual(created, [201, { id: 1, email: 'ada@example.com', phone: 'unlisted' }]);
            assert.deepEqual(listed, [200, [{ id: 1, email: 'ada@example.com' }]]);
            assert.deepEqual([filtered[0], filtered[1].code], [400, 'CRUD_UNKNOWN_FIELD']);
          });
        }
      }

      it('does not start where mapped types find no class-validator', async () => {
        const outfile = await bundled('esbuild', ['esm', 'cjs'], { plugins: [] });
        await assert.rejects(attack(outfile), /UserChange is a mapped type \(PartialUser\)/);
      });
    }
  });
}
