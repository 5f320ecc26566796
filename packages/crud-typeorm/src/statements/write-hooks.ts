/** The hooks of the application around each stored row, as one write calls them. */
import type { Change, ChangeKind } from '@nestwright/crud';
import type { BodyScope } from '@nestwright/crud/adapter';
import type { EntityManager, QueryRunner } from 'typeorm';

/** The hooks of one write, be it of one record or of many. */
export interface WriteHooks {
  /** What the application puts into bodies, whatever a hook says. */
  readonly scope: BodyScope;
  /** Whether a change is told with the row as it was. */
  readonly needsBefore: (kind: ChangeKind) => boolean;
  /** Whether anyone is told of a row once it is stored. */
  readonly hearsAfter: boolean;
  /** May change the record that is to be stored, or refuse the write. */
  readonly before: (change: Change, manager: EntityManager) => Promise<void>;
  readonly after: (change: Change, runner: QueryRunner) => Promise<void>;
  /** Tells what a transaction has committed; never fails. */
  readonly committed: (changes: readonly Change[]) => Promise<void>;
}
