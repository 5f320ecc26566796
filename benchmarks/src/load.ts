/** Loads crud-typeorm in fresh processes that have loaded its peers, and tells how long that takes as ES module and as CommonJS: `npm run bench:load`. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { median } from './harness/summary.js';

const PEERS = [
  'reflect-metadata',
  'rxjs',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  'typeorm',
  'class-validator',
  'class-transformer',
];

/** Node's name of the format → how a script of that format takes a package in. */
const FORMATS = { module: 'await import', commonjs: 'require' };

const { values } = parseArgs({ options: { starts: { type: 'string', default: '15' } } });

for (const [format, load] of Object.entries(FORMATS)) {
  const script = `
    ${PEERS.map((name) => `${load}('${name}');`).join('\n')}
    const began = performance.now();
    ${load}('@nestwright/crud-typeorm');
    console.log(performance.now() - began);
  `;
  const times = Array.from({ length: Number(values.starts) }, () =>
    Number(execFileSync(process.execPath, [`--input-type=${format}`, '-e', script], { encoding: 'utf8' })),
  );

  process.stdout.write(`${format}: ${median(times).toFixed(0)} ms; median of ${values.starts} processes\n`);
}
