/** What the tests read of the matrix's counting: name of a test → how often it passed. */
type Counts = Map<string, number>;

export function passedTests(report: object, tree: string): Map<string, Counts>;
export function total(counts: Counts): number;
export function missingTests(wanted: Counts, got: Counts, suites: readonly string[]): string[];
