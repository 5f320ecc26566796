/** Translates the pipes before a body into validation options and pipes that must be run. */
import { mergedValidation } from '../definition/merge-validation.js';
import type { PipeSource } from '../nest/handler-pipes.js';
import type { BodyRules } from './body-rules.js';
import { pipeRunner, type RunPipes } from './run-pipes.js';
import { strictestOf } from './strictest-options.js';
import { standardPipeOptions } from './validation-pipe.js';

/** Rules with the options of the pipes under those of the resource, and what else is to be done with a record. */
export interface RulesWithPipes {
  readonly rules: BodyRules;
  readonly run?: RunPipes;
}

/** `validation: false` turns off the library's validation only: the application's pipes run anyway. */
export function rulesWithPipes(rules: BodyRules, sources: readonly PipeSource[]): RulesWithPipes {
  if (sources.length === 0) return { rules };

  const classified = sources.map((source) => ({
    source,
    options: 'pipe' in source ? standardPipeOptions(source.pipe) : undefined,
  }));
  const options = classified.flatMap((pipe) => pipe.options ?? []);
  const others = classified.filter((pipe) => !pipe.options).map(({ source }) => source);
  const validation =
    options.length > 0 ? mergedValidation(strictestOf(options), rules.validation || undefined) : rules.validation;
  const guarded = { ...rules, validation };

  return { rules: guarded, ...(others.length > 0 && { run: pipeRunner(others, guarded) }) };
}
