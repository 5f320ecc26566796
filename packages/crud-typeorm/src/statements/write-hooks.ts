import type { Change, ChangeKind } from '@nestwright/crud';
import type { BodyScope } from '@nestwright/crud/adapter';
import type { EntityManager, QueryRunner } from 'typeorm';

/** The hooks of one write, be it of one record or of many. */
export interface WriteHooks {
  /** Scoped values, which hooks cannot change. */
  readonly scope: BodyScope;
  /** Whether changes of a kind include the previous row. */
  readonly needsBefore: (kind: ChangeKind) => boolean;
  /** Whether any hook is called after a row is stored. */
  readonly callsAfter: boolean;
  /** May change the record that is to be stored, or refuse the write. */
  readonly before: (change: Change, manager: EntityManager) => Promise<void>;
  readonly after: (change: Change, runner: QueryRunner) => Promise<void>;
  /** Called with the changes of a committed transaction; never fails. */
  readonly committed: (changes: readonly Change[]) => Promise<void>;
}
