import type { CrudResource } from './find-resources.js';
import { classTransformer, classValidator, csvStringify } from '../nest/optional-peers.js';
import { isStandardSchema } from '../definition/standard-schema.js';

/**
 * Refuses to start if a class has validation rules but their packages cannot be loaded: bodies must not go unchecked.
 */
export function* loadsWhatRulesNeed({ definition }: CrudResource): Generator<string> {
  const { model, dto, validation } = definition;
  const missing = Object.entries({ 'class-validator': classValidator, 'class-transformer': classTransformer })
    .filter(([, loaded]) => !loaded)
    .map(([name]) => name);
  if (missing.length === 0 || validation === false) return;

  const classes = new Set([model, dto.create, dto.update, dto.replace]);
  for (const type of classes) {
    if (typeof type !== 'function' || isStandardSchema(type) || !hasRules(type)) continue;

    yield `${type.name} has rules of class-validator, but ${missing.join(' and ')} could not be loaded to check them: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md); validation: false turns the rules off`;
  }
}

/** Refuses to start if CSV exports are on but csv-stringify cannot be loaded. */
export function* loadsWhatExportsNeed({ definition }: CrudResource): Generator<string> {
  if (csvStringify || !definition.options.query.export?.formats.includes('csv')) return;

  yield 'query.export.formats has csv, but csv-stringify, which writes it, could not be loaded: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md)';
}

/** class-validator stores all rules on `globalThis`, whichever copy of it the decorators come from. */
interface GlobalStorage {
  classValidatorMetadataStorage?: {
    getTargetValidationMetadatas(type: unknown, schema: string, always: boolean, strict: boolean): readonly unknown[];
  };
}

/** Whether class-validator knows rules of a class. */
export function hasRules(type: unknown): boolean {
  const storage = (globalThis as GlobalStorage).classValidatorMetadataStorage;

  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
