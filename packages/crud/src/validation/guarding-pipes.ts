/** Translates the pipes before a body into validation options and pipes that must be run. */
import { mergedValidation } from '../definition/merge-validation.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import type { BodyRules } from './body-rules.js';
import { pipeRun, type RunsPipes } from './run-pipes.js';
import { strictestOf } from './strictest-options.js';
import { takenOver } from './validation-pipe.js';

/** Rules with the options of the pipes under those of the resource, and what else is to be done with a record. */
export interface GuardedRules {
  readonly rules: BodyRules;
  readonly run?: RunsPipes;
}

/** `validation: false` concerns the library's validation: a pipe of the application guards the body anyway. */
export function guardedRules(rules: BodyRules, sources: readonly PipeSource[]): GuardedRules {
  if (sources.length === 0) return { rules };

  const judged = sources.map((source) => ({ source, options: 'pipe' in source ? takenOver(source.pipe) : undefined }));
  const options = judged.flatMap((pipe) => pipe.options ?? []);
  const others = judged.filter((pipe) => !pipe.options).map(({ source }) => source);
  const validation =
    options.length > 0 ? mergedValidation(strictestOf(options), rules.validation || undefined) : rules.validation;
  const guarded = { ...rules, validation };

  return { rules: guarded, ...(others.length > 0 && { run: pipeRun(others, guarded) }) };
}
