/**
 * In: a report in Jest's form, or of our own runners with their `failures`, and the exit code. Out: "<passed> <failed>", then what each
 * failure said; a suite that did not run, or a failing code alone, is a failure.
 */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 25;

const [path, exitCode] = process.argv.slice(2);
const report = JSON.parse(await readFile(path, 'utf8'));

const ofSuite = ({ name, status, message, assertionResults }) => {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${file}\n${message}`];
  return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages.join('\n')}`);
};
const failures = report.failures ?? report.testResults.flatMap(ofSuite);

const broken = report.numFailedTests + report.numRuntimeErrorTestSuites;
if (broken === 0 && exitCode !== '0') failures.push(`every test passed, and the exit code is ${exitCode}`);

console.log(`${report.numPassedTests} ${broken === 0 && exitCode !== '0' ? 1 : broken}`);
for (const failure of failures)
  console.log(stripVTControlCharacters(failure).split('\n').slice(0, MESSAGE_LINES).join('\n    '));
