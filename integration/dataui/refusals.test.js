/** One controller, served by @dataui/crud and by this library: which bodies each refuses, behind every way to bind a ValidationPipe. What differs is a row of `DIFFERENCES`, which docs/migration-writes.md tells. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compile, installPackages } from '../../scripts/application.js';
import { DIFFERENCES } from './differences.js';
import { WAYS } from './ways.js';

const home = import.meta.dirname;
const require = createRequire(import.meta.url);

/** Bodies by what is the matter with them. */
const BODIES = {
  right: { name: 'a', age: 1, part: { label: 'x' }, note: 'n' },
  'unknown property': { name: 'a', stranger: 1 },
  'unknown nested property': { name: 'a', part: { label: 'x', stranger: 1 } },
  'wrong type': { name: 1 },
  'too long': { name: 'too long' },
  'text for a number': { name: 'a', age: '1' },
  'no number': { name: 'a', age: 'x' },
  'spaces about it': { name: ' a    ' },
  missing: { age: 1 },
  null: { name: null },
  'null where it may be': { name: 'a', age: null },
  'wrong nested type': { name: 'a', part: { label: 1 } },
  'text for an object': { name: 'a', part: 'x' },
  'against a rule without group': { name: 'a', note: 'too long' },
  'a key of its own': { id: 1, name: 'a' },
  'a key that is none': { id: 'x', name: 'a' },
  empty: {},
  'a list': [{ name: 'a' }],
};

const WRITES = {
  POST: (path, body) => ['POST', path, body],
  bulk: (path, body) => ['POST', `${path}/bulk`, { bulk: [{ name: 'a' }, body] }],
  PATCH: (path, body) => ['PATCH', `${path}/1`, body],
  PUT: (path, body) => ['PUT', `${path}/1`, body],
};

const LIBRARIES = ['@dataui', '@nestwright'];
const used = new Set();
let serves;

before(() => {
  installPackages(home);
  serves = LIBRARIES.map((scope) => {
    const out = join(home, 'dist', scope.slice(1));
    compile([join(home, 'app')], out, 'cjs', (source) => source.replaceAll('@nestwright/', `${scope}/`));

    return require(join(out, 'serve.js')).serve;
  });
});

/** What becomes of a body: stored, refused, or a fault of the server. */
async function outcome(url, [method, path, body]) {
  const { status } = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return status < 300 ? 'stored' : status < 500 ? 'refused' : 'fault';
}

async function outcomes(serve, bound) {
  const app = await serve(bound);
  try {
    const url = await app.getUrl();
    const found = {};
    for (const by of ['model', 'dto']) {
      // The record that PATCH and PUT write.
      assert.equal(await outcome(url, ['POST', `/${by}`, { name: 'a' }]), 'stored');
      for (const [write, request] of Object.entries(WRITES)) {
        for (const [matter, body] of Object.entries(BODIES)) {
          found[`${by}, ${write}, ${matter}`] = await outcome(url, request(`/${by}`, body));
        }
      }
    }

    return found;
  } finally {
    await app.close();
  }
}

describe('which bodies are refused', () => {
  for (const [way, bound] of Object.entries(WAYS)) {
    it(`with ${way}`, async () => {
      const [theirs, ours] = [await outcomes(serves[0], bound()), await outcomes(serves[1], bound())];
      const untold = [];

      for (const [place, was] of Object.entries(theirs)) {
        const is = ours[place];
        if (was === is) continue;
        const row = DIFFERENCES.find(
          ({ where, change }) => change === `${was} → ${is}` && where.test(`${way}: ${place}`),
        );
        if (row) used.add(row);
        else untold.push(`${place}: ${was} → ${is}`);
      }

      assert.deepEqual(untold, []);
    });
  }

  after(() => {
    const guide = readFileSync(join(home, '../../docs/migration-writes.md'), 'utf8');
    for (const row of DIFFERENCES) {
      assert.ok(used.has(row), `no body shows any more that: ${row.told}`);
      assert.ok(guide.includes(row.told), `docs/migration-writes.md does not tell: ${row.told}`);
    }
  });
});
