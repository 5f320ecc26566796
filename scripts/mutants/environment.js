/** Jest's environment for sources with mutants: notes which of them a file reaches, or ends the run at its first failure. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import Environment from '../../integration/test-support/environment.js';

/** The exit code of a run in which a test failed. */
const KILLED = 3;

export default class MutantEnvironment extends Environment {
  constructor(config, context) {
    super(config, context);
    this.file = relative(process.cwd(), context.testPath);
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event, state);
    const { name, error } = event;
    const stryker = (this.global.__stryker__ ??= {});
    // What runs before is done while modules load.
    if (name === 'run_start') stryker.currentTestId = 'tests';
    if (name === 'run_finish' && process.env.MUTANT_COVERAGE) {
      const { static: atLoad = {}, perTest = {} } = stryker.mutantCoverage ?? {};
      const reached = { file: this.file, loaded: Object.keys(atLoad), run: Object.keys(perTest.tests ?? {}) };
      appendFileSync(process.env.MUTANT_COVERAGE, `${JSON.stringify(reached)}\n`);
    }
    if (process.env.__STRYKER_ACTIVE_MUTANT__ && ['test_fn_failure', 'hook_failure', 'error'].includes(name)) {
      process.stderr.write(`${String(error?.message ?? error).slice(0, 500)}\n`);
      process.exit(KILLED);
    }
  }
}
