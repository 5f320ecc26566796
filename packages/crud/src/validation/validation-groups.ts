/** The groups under which decorators of class-validator on a model are asked. */

/**
 * `CREATE` holds for POST, bulk and PUT, `UPDATE` for PATCH (and for PUT with `merge`). Decorators on a model without one of them are asked in both, on PATCH of what the body carries; of classes
 * given as `dto`, all are asked.
 *
 * @example
 * `@IsOptional({ groups: [CrudValidationGroups.UPDATE] }) @IsNotEmpty({ groups: [CrudValidationGroups.CREATE] }) name: string`
 */
export enum CrudValidationGroups {
  /** POST, bulk and PUT. */
  CREATE = 'CRUD-CREATE',
  /** PATCH, and PUT with `merge`. */
  UPDATE = 'CRUD-UPDATE',
}
