export declare const FLOORS: Readonly<
  Record<
    | 'crud-request'
    | 'client'
    | 'react-admin'
    | 'refine'
    | 'crud'
    | 'sql'
    | 'crud-typeorm'
    | 'crud-drizzle'
    | 'crud-memory'
    | 'testing'
    | 'create-nestwright'
    | 'schematics'
    | 'migrate',
    readonly string[]
  >
>;
export declare const APART: Readonly<Record<keyof typeof FLOORS, Readonly<Record<string, readonly string[]>>>>;
