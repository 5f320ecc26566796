/** The environment of spec files: Node's, with fewer tests in a short run, and nothing of a file left running behind it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { leaveOnePlace, staysInCi } from './places.js';
import { TESTS_ALL, TESTS_CI } from './tests-asked-for.js';

/** Each that is ever used makes every promise of its process slower, until it is disabled. */
const storages = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];

  AsyncLocalStorage.prototype[method] = function (...parameters) {
    storages.add(this);

    return original.apply(this, parameters);
  };
}

export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // Spec files get a copy of the environment variables; a time zone set there would not reach the process.
    Object.defineProperty(this.global.process.env, 'TZ', {
      get: () => process.env.TZ,
      set: (zone) => {
        if (zone === undefined) delete process.env.TZ;
        else process.env.TZ = zone;
      },
    });
  }

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start' && !TESTS_ALL) leaveOnePlace(rootDescribeBlock, TESTS_CI ? staysInCi : undefined);
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
