#!/usr/bin/env node
/** `npm create nestwright@latest my-api`: asks what the application is made of, and writes it. */
import { run } from './command.js';
import { install, makeAsker } from './terminal.js';

const { stdin, stdout } = process;

try {
  await run(process.argv.slice(2), {
    say: (text) => stdout.write(text),
    makeAsker: stdin.isTTY ? () => makeAsker(stdin, stdout, () => process.exit(1)) : undefined,
    install,
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
