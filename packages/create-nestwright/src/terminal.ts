/** The terminal that the command is run in, and npm. */
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import type { Ask } from './choose.js';

/** @param leave Called on Ctrl+C, or at the end of the input: whoever leaves a question unanswered wants no application. */
export function makeAsker(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  leave: () => void,
): Ask & { close(): void } {
  const terminal = createInterface({ input, output });
  terminal.once('close', leave);
  const ask: Ask = async (question, usual) => (await terminal.question(`${question} (${usual}): `)).trim() || usual;

  return Object.assign(ask, { close: () => terminal.off('close', leave).close() });
}

/** Runs `npm install` in a folder; whether it succeeded. */
export function install(folder: string): boolean {
  // On Windows, npm is a script of the shell.
  return spawnSync('npm install', { cwd: folder, stdio: 'inherit', shell: true }).status === 0;
}
