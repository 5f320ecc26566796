import type { CrudResource } from './find-resources.js';
import { classTransformer, classValidator, csvStringify } from '../nest/optional-peers.js';
import { isStandardSchema } from '../definition/standard-schema.js';

/** Rules that were written are asked, or the start is refused: what is installed apart from a bundle, or missing from one, must not leave bodies unchecked. */
export function* loadsWhatRulesNeed({ definition }: CrudResource): Generator<string> {
  const { model, dto, validation } = definition;
  const missing = Object.entries({ 'class-validator': classValidator, 'class-transformer': classTransformer })
    .filter(([, loaded]) => !loaded)
    .map(([name]) => name);
  if (missing.length === 0 || validation === false) return;

  const classes = new Set([model, dto.create, dto.update, dto.replace]);
  for (const type of classes) {
    if (typeof type !== 'function' || isStandardSchema(type) || !hasRules(type)) continue;

    yield `${type.name} has rules of class-validator, but ${missing.join(' and ')} could not be loaded to ask them: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md); validation: false leaves rules unasked`;
  }
}

/** CSV has a library that writes it. */
export function* loadsWhatExportsNeed({ definition }: CrudResource): Generator<string> {
  if (csvStringify || !definition.options.query.export?.formats.includes('csv')) return;

  yield 'query.export.formats has csv, but csv-stringify, which writes it, could not be loaded: install it where @nestwright/crud is installed, or bundle both (docs/bundling.md)';
}

/** class-validator notes all rules in one place of the process, whichever copy of it the decorators come from. */
interface NotesRules {
  classValidatorMetadataStorage?: {
    getTargetValidationMetadatas(type: unknown, schema: string, always: boolean, strict: boolean): readonly unknown[];
  };
}

/** Whether class-validator knows rules of a class. */
export function hasRules(type: unknown): boolean {
  const storage = (globalThis as NotesRules).classValidatorMetadataStorage;

  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
