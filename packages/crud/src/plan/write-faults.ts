import { crudError } from '../errors/errors.js';
import type { Refusal } from './refusal.js';

/** Collects what is wrong with a body, so that a client learns of everything at once. */
export class WriteFaults {
  private readonly faults: { readonly path: string; readonly refusal: Refusal }[] = [];

  add(path: string, refusal: Refusal): void {
    this.faults.push({ path, refusal });
  }

  /** Throws the faults, if there are any: the first one gives code and field. */
  throwIfAny(): void {
    const [first] = this.faults;
    if (!first) return;

    throw crudError(first.refusal.code, {
      // A nested record may have been planned in two ways, with the same faults.
      message: [...new Set(this.faults.map(({ path, refusal }) => `${path} ${refusal.text}`))],
      field: first.path,
    });
  }
}
