/** Sources and flags of regular expressions, as JSON on stdin → on stdout which of them are proved to be linear. Jest's sandbox would take five times as long. */
import { readFileSync } from 'node:fs';

// The other checkers are programs for some platforms.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const patterns = JSON.parse(readFileSync(0, 'utf8'));
const statuses = patterns.map(
  ([source, flags]) => checkSync(source, flags, { checker: 'automaton', timeout: 300_000 }).status,
);

process.stdout.write(JSON.stringify(statuses));
