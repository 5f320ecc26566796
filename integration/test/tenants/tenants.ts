/** Who attacks whom in the seeded workspace: the ids of one tenant and of another, and of nobody. */
import { TENANT_IDS } from '../../test-support/fixtures/workspace-records.js';

/** Ids of a tenant's records, by number from its first. */
export interface Targets {
  readonly tenant: string;
  readonly member: (nth: number) => number;
  readonly project: (nth: number) => number;
  readonly task: (nth: number) => number;
}

const seeded = (tenant: number): Targets => ({
  tenant: TENANT_IDS[tenant]!,
  member: (nth) => tenant * 5 + nth,
  project: (nth) => tenant * 4 + nth,
  task: (nth) => tenant * 60 + nth,
});

export const OWN = seeded(0);
export const FOREIGN = seeded(1);
export const THIRD = seeded(2);

const missing = (nth: number) => 990_000 + nth;
const tenant = '00000000-0000-4000-8000-000000000000';

export const MISSING: Targets = { tenant, member: missing, project: missing, task: missing };
