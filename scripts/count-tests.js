/** In: Jest's JSON report and its exit code. Out: "<passed> <failed>"; a suite that did not run, or a failing code alone, is a failure. */
import { readFile } from 'node:fs/promises';

const [path, exitCode] = process.argv.slice(2);
const report = JSON.parse(await readFile(path, 'utf8'));
const broken = report.numFailedTests + report.numRuntimeErrorTestSuites;
const failed = broken === 0 && exitCode !== '0' ? 1 : broken;
console.log(`${report.numPassedTests} ${failed}`);
