/** What a Standard Schema finds wrong: a text, and the path of the value. */
export interface StandardSchemaIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** Keys from the input to the value. Default: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a Standard Schema answers: the value that it made of the input, or what is wrong with the input. */
export type StandardSchemaResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly StandardSchemaIssue[] };

/**
 * A validator of any library that keeps to the Standard Schema interface, version 1 (zod, valibot, arktype …): an
 * object, a function, or a class that carries the interface as a static property.
 *
 * @see https://standardschema.dev
 *
 * @example
 * `@Crud({ model: { type: User }, dto: { create: z.object({ name: z.string().trim() }) } })`
 */
export interface StandardSchema {
  /** The interface; only its presence makes a schema of an object. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardSchemaResult | Promise<StandardSchemaResult>;
  };
}

/** Whether something is a Standard Schema; zod's and valibot's are objects, arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return typeof (value as Partial<StandardSchema> | null | undefined)?.['~standard']?.validate === 'function';
}
