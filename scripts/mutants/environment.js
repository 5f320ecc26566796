/**
 * Jest's environment for sources with mutants. With MUTANTS_REACH it notes which test reaches which of them; with MUTANTS_ASKED it
 * asks tests again and again, each time with another mutant, so that the framework is loaded once for many.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Environment from '../../integration/test-support/environment.js';
import { askInTurn, listTests } from './tests.js';

const { MUTANTS_REACH, MUTANTS_ASKED, MUTANTS_OUTCOMES, __STRYKER_ACTIVE_MUTANT__: FROM_START } = process.env;
const TIMEOUT = 10_000;
/** What earlier tests leave in memory slows those that follow. */
const MEMORY = 1.8e9;
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];

export default class MutantEnvironment extends Environment {
  constructor(config, context) {
    super(config, context);
    const { [context.testPath]: others = [] } = JSON.parse(process.env.TEST_GROUPS ?? '{}');
    this.files = [context.testPath, ...others].map((path) => relative(process.cwd(), path));
    this.milliseconds = { tests: {}, blocks: {} };
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event, state);
    this.stryker = this.global.__stryker__ ??= {};
    if (event.name === 'run_start') this.ids = new Map(listTests(state.rootDescribeBlock));
    if (MUTANTS_REACH) this.note(event, state);
    if (MUTANTS_ASKED) this.ask(event, state);
  }

  /** What is reached counts for the test that runs, for the block whose hook runs, or for what loads. */
  note({ name, blockName, test, describeBlock, hook }, { currentDescribeBlock, rootDescribeBlock }) {
    const { ids, stryker, milliseconds } = this;
    if (name === 'start_describe_definition' && currentDescribeBlock?.parent === rootDescribeBlock)
      stryker.currentTestId = `load ${rootDescribeBlock.children.indexOf(currentDescribeBlock)}`;
    if (name === 'finish_describe_definition' && currentDescribeBlock === rootDescribeBlock && blockName)
      stryker.currentTestId = undefined;
    if (name === 'run_start') stryker.currentTestId = 'root';
    if (name === 'run_describe_start') stryker.currentTestId = ids.get(describeBlock);
    if (name === 'test_start') stryker.currentTestId = ids.get(test);
    if (name === 'test_done') {
      if (test.errors.length === 0 && test.duration !== null) milliseconds.tests[ids.get(test)] = test.duration;
      stryker.currentTestId = ids.get(test.parent);
    }
    if (name === 'hook_start') hook.startedAt = performance.now();
    if (name === 'hook_success' && describeBlock) {
      const { blocks } = milliseconds;
      const id = ids.get(describeBlock);
      blocks[id] = (blocks[id] ?? 0) + performance.now() - hook.startedAt;
    }
    if (name !== 'run_finish') return;
    const { static: atLoad = {}, perTest = {} } = stryker.mutantCoverage ?? {};
    const reached = Object.fromEntries(Object.entries(perTest).map(([id, mutants]) => [id, Object.keys(mutants)]));
    appendFileSync(
      MUTANTS_REACH,
      `${JSON.stringify({ files: this.files, loaded: Object.keys(atLoad), reached, milliseconds })}\n`,
    );
  }

  ask({ name, describeBlock, test, error }, state) {
    if (name === 'run_start') {
      state.testTimeout = TIMEOUT;
      askInTurn(state.rootDescribeBlock, JSON.parse(readFileSync(MUTANTS_ASKED, 'utf8')), this.ids);
    }
    if (name === 'run_describe_start' && describeBlock.asked) this.begin(describeBlock);
    if (name === 'test_start') {
      if (!this.failed) this.begun += 1;
      if (this.failed || this.begun > this.last) test.mode = 'skip';
    }
    if (FAILURES.includes(name)) {
      this.failed = true;
      this.message ??= String(error?.message ?? error).slice(0, 300);
      this.failing ??= test?.id;
    }
    if (name === 'run_describe_finish' && describeBlock.asked) this.end(describeBlock.asked);
  }

  /** Tests that failed with a mutant are asked once more without it: they must pass, or prove nothing. */
  begin(block) {
    const { mutant, again } = block.asked;
    if (again && !this.failed) block.children = [];
    this.hasFailed = again && this.failed;
    this.last = this.hasFailed ? this.begun : Infinity;
    this.begun = 0;
    this.failed = false;
    this.stryker.activeMutant = again ? FROM_START : (FROM_START ?? mutant);
    if (!again) this.say({ mutant, outcome: 'asked' });
  }

  end({ mutant, again }) {
    this.stryker.activeMutant = FROM_START;
    if (!again) return;
    const outcome = this.failed ? 'failed' : this.hasFailed ? 'killed' : 'survived';
    this.say({ mutant, outcome, message: this.message, failing: this.failing });
    this.message = undefined;
    this.failing = undefined;
    this.failed = false;
    if (outcome === 'failed' || process.memoryUsage().rss > MEMORY) process.exit(0);
  }

  say(outcome) {
    appendFileSync(MUTANTS_OUTCOMES, `${JSON.stringify(outcome)}\n`);
  }
}
