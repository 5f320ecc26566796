/** Runs the kit. */
import type { AdapterUnderTest } from './adapter-under-test.js';
import { type Case, startKit } from './application.js';
import { SUITES } from './suites/index.js';

/** The functions of a test runner that has them as globals: Jest, Vitest, Mocha, or node:test by an import. */
interface Runner {
  describe(title: string, body: () => void): void;
  it(title: string, run: () => Promise<void>, timeout?: number): void;
  before?(run: () => Promise<void>, timeout?: number): void;
  beforeAll?(run: () => Promise<void>, timeout?: number): void;
  after?(run: () => Promise<void>, timeout?: number): void;
  afterAll?(run: () => Promise<void>, timeout?: number): void;
}

/** A promise that an adapter has broken. */
export interface Broken {
  /** The suite and the promise. */
  readonly title: string;
  /** What showed it. */
  readonly error: unknown;
}

const LONG = 120_000;

/**
 * Registers every case of the kit as a test of an adapter on a database.
 *
 * @param runner The test runner. Default: the one whose functions are global.
 * @example
 * describeAdapter({ name: 'Own adapter', open: async () => ({ resources, clear, close }) });
 */
export function describeAdapter(adapter: AdapterUnderTest, runner = globalThis as unknown as Runner): void {
  const before = runner.beforeAll ?? runner.before!;
  const after = runner.afterAll ?? runner.after!;
  runner.describe(adapter.name, () => {
    let running: Awaited<ReturnType<typeof startKit>>;
    before(async () => {
      running = await startKit(await adapter.open(), adapter.roundsWideIntegers);
      await running.reset();
    }, LONG);
    after(() => running?.close(), LONG);
    for (const { title, cases } of SUITES) {
      runner.describe(title, () => {
        for (const [promise, run] of Object.entries(cases)) runner.it(promise, () => runCase(running, run), LONG);
      });
    }
  });
}

/**
 * Runs every case of the kit without a test runner.
 *
 * @param most How many broken promises end the run. Default: none does.
 * @returns The promises that the adapter has broken.
 */
export async function checkAdapter(adapter: AdapterUnderTest, most = Infinity): Promise<Broken[]> {
  const broken: Broken[] = [];
  const store = await adapter.open();
  const attempt = async (title: string, work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => broken.push({ title, error }));
  };
  const running = await startKit(store, adapter.roundsWideIntegers);
  try {
    await attempt('the seeded records', running.reset);
    for (const { title, cases } of SUITES) {
      for (const [promise, run] of Object.entries(cases))
        if (broken.length < most) await attempt(`${title}: ${promise}`, () => runCase(running, run));
    }
  } finally {
    await running.close();
  }
  return broken;
}

/** Runs a case; what it has written is undone. */
async function runCase({ kit, reset }: Awaited<ReturnType<typeof startKit>>, run: Case): Promise<void> {
  try {
    await run(kit);
  } finally {
    if (kit.api.hasWritten || kit.calls.length > 0) await reset();
  }
}
