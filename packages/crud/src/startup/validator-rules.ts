/** Where class-validator notes rules: one place in the process, whichever copy of it the decorators come from. */
interface NotesRules {
  classValidatorMetadataStorage?: {
    getTargetValidationMetadatas(type: unknown, schema: string, always: boolean, strict: boolean): readonly unknown[];
  };
}

export function hasRules(type: unknown): boolean {
  const storage = (globalThis as NotesRules).classValidatorMetadataStorage;

  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
