/** What the tests read of the matrix's counting: name of a test → how often it ran. */
type Counts = Map<string, number>;

export function passedTests(report: object, tree: string): Map<string, Counts>;
export function definedTests(report: object, tree: string): Map<string, Counts>;
export function total(counts: Counts): number;
export function missingTests(wanted: Counts, defined: Counts, passed: Counts): string[];
