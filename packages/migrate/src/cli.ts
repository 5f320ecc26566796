#!/usr/bin/env node
/** `npx @nestwright/migrate [folder] [--dry-run]`, `npx @nestwright/migrate compare OLD_URL NEW_URL steps.json` */
import { run } from './command.js';

try {
  process.exitCode = await run(process.argv.slice(2), (text) => process.stdout.write(text));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
